import { found, type Subject } from '#console/editor/conditions/subjects.rules.ts'
import { hintsFor, type PathHint, wordBefore } from '#console/editor/values/paths.rules.ts'
import { quoted } from '#language/text/infix.ts'
import { typeOfPath } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/** Completions of an expression while it is typed: paths, functions, words of the domain, and the values that a path can have. */
export interface Hint {
  /** Text that takes the place of what was typed from `from` on. */
  insert: string
  detail: string
  /** Offset in the typed text. */
  from: number
}

const compared = /([A-Za-z_][\w.[\]]*)\s*(?:=|==|===|!=|!==|≠|>=|<=|>|<|in)\s*(?:\[\s*(?:(?:'[^']*'|[\w.]+)\s*,\s*)*)?('?)([\w-]*)$/
const element = /(?:filter|map|find|all|some|none|reduce)\(\s*([A-Za-z_][\w.[\]]*)\s*,(?:[^()]|\([^()]*\))*?(?:^|[^\w\])'])\.([\w.]*)$/
const wordLengthMin = 3

/**
 * @param before the typed text up to the cursor
 * @param pathsAt paths that complete a word
 */
export function hintsAt(
  before: string,
  types: Types,
  subjects: readonly Subject[],
  pathsAt: (typed: string) => readonly PathHint[],
): Hint[] {
  const values = valuesOf(before, types, subjects)
  if (values.length > 0) return values
  const members = membersOfElement(before, types)
  if (members.length > 0) return members
  const word = wordBefore(before)
  if (word === '') return []
  const from = before.length - word.length
  const paths = hintsFor(word, pathsAt(word)).map(({ path, type }): Hint => ({ insert: path, detail: type, from }))
  if (word.includes('.') || word.length < wordLengthMin) return paths
  const offered = new Set(paths.map(({ insert }) => insert))
  const meant = found(subjects, word)
    .map((subject): Hint => ({ insert: condition(subject), detail: subject.label, from }))
    .filter(({ insert }) => !offered.has(insert) && insert !== word)
  return [...paths, ...meant]
}

/** A subject as a condition that can stand by itself where it has an order of levels, else its path. */
const condition = ({ path, kind }: Subject): string => (kind === 'level' ? `${path} >= 1` : path)

/** The values that the path before a comparison can have. */
function valuesOf(before: string, types: Types, subjects: readonly Subject[]): Hint[] {
  const [, path, quote = '', typed = ''] = compared.exec(before) ?? []
  if (path === undefined) return []
  const from = before.length - typed.length - quote.length
  const subject = subjects.find((one) => one.path === path)
  const { type, problems } = typeOfPath(path, types)
  if (problems.length > 0) return []
  const known = withoutNull(type)
  const options: readonly { value: unknown; label: string }[] =
    subject && subject.options.length > 0
      ? subject.options
      : (known.enum ?? (known.type === 'boolean' ? [true, false] : [])).map((value) => ({ value, label: '' }))
  return options
    .map(({ value, label }): Hint => ({ insert: typeof value === 'string' ? quoted(value) : String(value), detail: label, from }))
    .filter(({ insert }) => insert.replaceAll("'", '').startsWith(typed) && insert !== `${quote}${typed}`)
}

/** Members of the rows of a list inside an iteration: `filter(data.list, .pr`. */
function membersOfElement(before: string, types: Types): Hint[] {
  const [, list, typed] = element.exec(before) ?? []
  if (list === undefined || typed === undefined) return []
  const { type, problems } = typeOfPath(list, types)
  const row = withoutNull(withoutNull(type).items ?? {})
  if (problems.length > 0 || !row.properties) return []
  const from = before.length - typed.length - 1
  return Object.keys(row.properties)
    .filter((name) => name.startsWith(typed) && name !== typed)
    .map((name): Hint => ({ insert: `.${name}`, detail: '', from }))
}
