import type { RowOperator } from '#console/editor/conditions/rows.rules.ts'
import { labelOf } from '#console/editor/values/fields.rules.ts'
import { nameOfType } from '#console/editor/values/paths.rules.ts'
import type { Say } from '#console/io/words.ts'
import { searchForm } from '#contract/text.ts'
import type { JsonSchema } from '#language/types/catalog.ts'
import { type Types, withoutNull } from '#language/types/types.ts'
import { countedOf } from '#language/types/units.ts'

/** Subjects of conditions in words that operators know: segments, the customer, the device, the fields of the form, and all that the place can read. */

/** How the value of a subject is entered. */
export type SubjectKind = 'flag' | 'choice' | 'level' | 'number' | 'text' | 'time' | 'list' | 'any'

export interface Subject {
  path: string
  label: string
  /** Heading in the list: segments, customer, device, form, value, page. */
  group: SubjectGroup
  kind: SubjectKind
  /** The possible values of a choice or a level. */
  options: readonly { value: string | number; label: string }[]
  /** The label and more words that find it, folded. */
  search: string
}
const groups = ['segment', 'form', 'customer', 'device', 'value', 'page'] as const
export type SubjectGroup = (typeof groups)[number]

/** Names that the documents give to subjects. */
export interface SubjectNames {
  /** Labels of the segments. */
  segments: Readonly<Record<string, string>>
  /** Labels of the fields of the open form. */
  fields: Readonly<Record<string, string>>
  /** Labels of the languages of the app. */
  languages: Readonly<Record<string, string>>
}

/** Members of the session with words of their own (`conditions.about_<name>`), the usual ones first. Dots are underscores in keys. */
const ofSession: Readonly<Record<string, SubjectKind>> = {
  logged_in: 'flag',
  kyc: 'level',
  'user.created': 'time',
  language: 'choice',
  fiat: 'text',
  'user.credit_score': 'number',
  'user.has_email': 'flag',
  'user.has_mobile': 'flag',
  'user.has_pay_password': 'flag',
  'user.totp': 'flag',
  'user.frozen': 'flag',
  'user.demo': 'flag',
}
const levels = [0, 1, 2] as const
const depthMax = 3
const subjectsMax = 600

/** All subjects that a condition can have at a place, by group. */
export function subjectsFrom(types: Types, names: SubjectNames, say: Say): Subject[] {
  const made: Subject[] = []
  const add = (subject: Omit<Subject, 'search'>, more = '') =>
    made.push({ ...subject, search: searchForm(`${subject.label} ${subject.path} ${say(`conditions.group_${subject.group}`)} ${more}`) })
  for (const [id, label] of Object.entries(names.segments))
    add({ path: `segment.${id}`, label, group: 'segment', kind: 'flag', options: [] })
  for (const [name, label] of Object.entries(names.fields)) {
    const type = withoutNull(types.form?.properties?.[name] ?? {})
    add({ path: `form.${name}`, label: label || labelOf(name), group: 'form', ...kindOf(type) })
  }
  for (const [name, kind] of Object.entries(ofSession)) {
    const key = name.replaceAll('.', '_')
    if (!hasMember(types.session, name)) continue
    const options =
      kind === 'level'
        ? levels.map((value) => ({ value, label: say(`conditions.level_${value}`) }))
        : name === 'language'
          ? Object.entries(names.languages).map(([value, label]) => ({ value, label }))
          : []
    add({ path: `session.${name}`, label: say(`conditions.about_${key}`), group: 'customer', kind, options }, say(`conditions.find_${key}`))
  }
  const roots = Object.entries(types).filter(([root]) => !['functions', 'session', 'feed', 'segment', 'form'].includes(root))
  if (Object.keys(names.fields).length === 0 && types.form) roots.unshift(['form', types.form])
  for (const [root, type] of roots) {
    const group: SubjectGroup =
      root === 'device' ? 'device' : root === 'values' || root === 'value' ? 'value' : root === 'form' ? 'form' : 'page'
    for (const { path, type: leaf } of leavesOf(root, type as JsonSchema, 0)) {
      if (made.length >= subjectsMax) return inOrder(made)
      const named = path === 'value' ? say('conditions.about_value') : spelled(path)
      add({ path, label: named, group, ...kindOf(leaf) }, nameOfType(leaf, say))
    }
  }
  return inOrder(made)
}

const inOrder = (subjects: readonly Subject[]): Subject[] => groups.flatMap((group) => subjects.filter((one) => one.group === group))

/** `data.info.fee_rate` reads "Info: fee rate". */
function spelled(path: string): string {
  const [, ...rest] = path.split('.')
  const names = rest.length > 0 ? rest : [path]
  return names.map((name, i) => (i === 0 ? labelOf(name) : labelOf(name).toLowerCase())).join(': ')
}

function hasMember(type: JsonSchema | undefined, name: string): boolean {
  let current = type
  for (const part of name.split('.')) {
    current = current && withoutNull(current).properties?.[part]
    if (!current) return false
  }
  return true
}

function* leavesOf(path: string, written: JsonSchema, depth: number): Generator<{ path: string; type: JsonSchema }> {
  const type = withoutNull(written)
  if (type.properties && depth < depthMax)
    for (const [name, part] of Object.entries(type.properties)) yield* leavesOf(`${path}.${name}`, part, depth + 1)
  else if (depth > 0 || !type.properties) yield { path, type }
}

function kindOf(type: JsonSchema): Pick<Subject, 'kind' | 'options'> {
  if (type.type === 'boolean') return { kind: 'flag', options: [] }
  if (type.enum) return { kind: 'choice', options: type.enum.map((value) => ({ value: value as string | number, label: String(value) })) }
  if (type.type === 'array') return { kind: 'list', options: [] }
  if (countedOf(type)?.unit === 'ms') return { kind: 'time', options: [] }
  if (type.decimal || type.type === 'integer' || type.type === 'number') return { kind: 'number', options: [] }
  return { kind: type.type === 'string' ? 'text' : 'any', options: [] }
}

const operatorsOf: Readonly<Record<SubjectKind, readonly RowOperator[]>> = {
  flag: ['yes', 'no'],
  choice: ['is', 'is_not', 'one_of'],
  level: ['at_least', 'is', 'less', 'is_not'],
  number: ['at_least', 'more', 'at_most', 'less', 'is', 'is_not', 'filled', 'unfilled'],
  text: ['is', 'is_not', 'one_of', 'filled', 'unfilled'],
  time: ['within', 'before', 'more', 'less'],
  list: ['filled', 'unfilled'],
  any: ['is', 'is_not', 'yes', 'no', 'at_least', 'more', 'at_most', 'less', 'one_of', 'filled', 'unfilled'],
}

/** The operators that suit a subject, the usual one first; the present one stays offered. */
export function operatorsFor(subject: Subject | undefined, present: RowOperator): readonly RowOperator[] {
  const suiting = operatorsOf[subject?.kind ?? 'any']
  return suiting.includes(present) ? suiting : [...suiting, present]
}

/** Subjects that have every typed word in their label, path or synonyms. */
export function found(subjects: readonly Subject[], typed: string): Subject[] {
  const words = searchForm(typed).split(/\s+/).filter(Boolean)
  return subjects.filter(({ search }) => words.every((word) => search.includes(word)))
}

/** A typed literal as a value of the language: a number where it is one that a double holds exactly, else text. */
export function literalOf(typed: string, kind: SubjectKind): string | number {
  const isNumber = (kind === 'number' || kind === 'level' || kind === 'time' || kind === 'any') && /^-?\d{1,15}(?:\.\d+)?$/.test(typed)
  return isNumber && String(Number(typed)) === typed ? Number(typed) : typed
}
