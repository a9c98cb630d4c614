/** Shared by the generators of widgets and functions. Pure functions, which can be tested without a folder. */

export interface NewFile {
  /** Relative to the project. */
  path: string
  text: string
}

/** A file that imports and lists all things of one kind, in order of name. */
export interface Registry {
  file: string
  /** Name of the exported list. */
  list: string
  /** Path of the import for a name. */
  path: (name: string) => string
  /** Extracts the name from such a path. */
  nameIn: RegExp
}

/** Import lines. They are composed here, because otherwise the import rules would take the generator's templates for imports. */
export const imports = (...lines: string[]) => lines.map((line) => `import ${line}`).join('\n')

/**
 * Adds one thing to the registry: an import and a list item, each in alphabetical order.
 * @throws when the registry does not have the expected form
 */
export function registered(text: string, { file, list, path, nameIn }: Registry, name: string, constant: string): string {
  const nameOf = new Map<string, string>()
  const lines = text.split('\n')
  const imported = lines.flatMap((line, at) => {
    const [, member, from] = /^import \{ (\w+) \} from '([^']+)'$/.exec(line) ?? []
    const own = from === undefined ? undefined : nameIn.exec(from)?.[1]
    if (member === undefined || own === undefined) return []
    nameOf.set(member, own)
    return [{ at, name: own }]
  })
  const last = imported.at(-1)
  const listed = new RegExp(`(export const ${list}\\b[^=]*= \\[)([^\\]]*)\\]`)
  if (!last || !listed.test(text)) throw new Error(`${file} does not have the expected form`)
  lines.splice(imported.find((one) => one.name > name)?.at ?? last.at + 1, 0, `import { ${constant} } from '${path(name)}'`)
  return lines.join('\n').replace(listed, (_, head: string, inner: string) => {
    const members = inner.split(',').flatMap((one) => one.trim() || [])
    const place = members.findIndex((one) => (nameOf.get(one) ?? '') > name)
    members.splice(place < 0 ? members.length : place, 0, constant)
    return `${head}\n${members.map((one) => `  ${one},`).join('\n')}\n]`
  })
}
