/** What the generators of widgets and functions share: pure, so that it can be tested without a folder. */

export interface NewFile {
  /** Below the project. */
  path: string
  text: string
}

/** A file that imports and lists everything of one kind, in the order of their names. */
export interface Registry {
  file: string
  /** Name of the exported list. */
  list: string
  /** What the registry imports, by name. */
  path: (name: string) => string
  /** Finds the name in such a path. */
  nameIn: RegExp
}

/** Lines of imports; they are put together here, so that a generator does not seem to import them itself. */
export const imports = (...lines: string[]) => lines.map((line) => `import ${line}`).join('\n')

/**
 * The registry with one more: an import, and a member of the list, each before the first whose name comes later in the alphabet.
 * @throws when the registry does not look as expected
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
  if (!last || !listed.test(text)) throw new Error(`${file} does not look as expected`)
  lines.splice(imported.find((one) => one.name > name)?.at ?? last.at + 1, 0, `import { ${constant} } from '${path(name)}'`)
  return lines.join('\n').replace(listed, (_, head: string, inner: string) => {
    const members = inner.split(',').flatMap((one) => one.trim() || [])
    const place = members.findIndex((one) => (nameOf.get(one) ?? '') > name)
    members.splice(place < 0 ? members.length : place, 0, constant)
    return `${head}\n${members.map((one) => `  ${one},`).join('\n')}\n]`
  })
}
