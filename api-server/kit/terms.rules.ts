import { product } from '#contract/money.ts'
import { termFits, timeOf, timeText } from '#contract/rules/term.rules.ts'

/** Terms as operators read and type them, by a table of their members. */

/** Units of one set of terms: base and quote coin of a symbol, for example. */
export type TermUnits = Readonly<Record<string, string>>

interface AnyTerm {
  /** It stays as it was first agreed to, since orders depend on it. */
  fixed?: true
  /** Lists show it, to say which terms these are. */
  named?: true
  /** There is a text `office.hint_<name>`. */
  hint?: true
  /** Typed into the form of new terms, to begin with. */
  usual?: string
}
/** A member in a form of its own. */
export interface OwnTerm extends AnyTerm {
  kind: 'own'
  typed(value: unknown): string
  shown(value: unknown, units: TermUnits): string
  read(text: string): unknown
  isSensible?(value: unknown): boolean
}
/**
 * A number. Bounds are written as the number is typed: percent in percent. Without bounds, `decimal` is above 0, `whole` at least 1, and `percent`
 * from 0 on and below 100. `unit` stands behind a value: a text, or the name of a unit with an @ (@base).
 */
export interface NumberTerm extends AnyTerm {
  kind: 'decimal' | 'whole' | 'percent'
  unit?: string
  least?: string
  above?: string
  most?: string
  below?: string
}
/** A member of terms. Its label is the text `office.term_<name>`, that of a choice `office.choice_<name>_<value>`. `time` is ms UTC. */
export type TermField =
  | NumberTerm
  | (AnyTerm & { kind: 'text' | 'time' })
  | (AnyTerm & { kind: 'choice'; values: readonly string[] })
  | OwnTerm
export type TermFields = Readonly<Record<string, TermField>>

export interface TypedTerm {
  name: string
  /** As it is typed. */
  value: string
  /** With its unit. */
  shown: string
  /** Stem of the text that says a choice; empty for other members. */
  choice: string
}
/** A change of one member; `before` is empty where the member is new. */
export interface TermChange extends TypedTerm {
  before: string
}

export const percentOf = (share: string) => product(share, '100')
/** A text that is no number stays, and is refused as such. */
export const shareOf = (percent: string) => (termFits('percent', percent, '') ? product(percent, '0.01') : percent)
const isNumber = (field: TermField): field is NumberTerm => ['decimal', 'whole', 'percent'].includes(field.kind)
/** Whether a text is an amount above 0. */
export const isAmount = (text: unknown): text is string => typeof text === 'string' && termFits('decimal', text, '> 0')

const usualBounds = { decimal: { above: '0' }, whole: { least: '1' }, percent: { least: '0', below: '100' } } as const
/** Range of a number as `termFits` reads it: `> 0, < 100`. */
export function rangeOf({ kind, ...field }: NumberTerm): string {
  const usual: Partial<NumberTerm> = usualBounds[kind]
  const above = field.above ?? (field.least === undefined ? usual.above : undefined)
  const least = field.least ?? (above === undefined ? usual.least : undefined)
  const below = field.below ?? (field.most === undefined ? usual.below : undefined)
  const bounds = { '>': above, '>=': least, '<': below, '<=': field.most }
  return Object.entries(bounds)
    .flatMap(([sign, bound]) => (bound === undefined ? [] : [`${sign} ${bound}`]))
    .join(', ')
}
/** Unit behind a value; empty where there is none. */
export function unitOf(field: TermField, units: TermUnits): string {
  if (!isNumber(field)) return ''
  const { kind, unit = kind === 'percent' ? '%' : '' } = field
  return unit.startsWith('@') ? (units[unit.slice(1)] ?? '') : unit
}

function typedValue(field: TermField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'own') return field.typed(value)
  if (field.kind === 'percent') return percentOf(String(value))
  return field.kind === 'time' ? timeText(value as number) : String(value)
}
function shownValue(field: TermField, value: unknown, units: TermUnits): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'own') return field.shown(value, units)
  return `${typedValue(field, value)} ${field.kind === 'time' ? 'UTC' : unitOf(field, units)}`.trim()
}
/** The value of a typed text; undefined for one that is none. */
function readValue(field: TermField, typed: string): unknown {
  if (field.kind === 'own') return field.read(typed)
  const text = typed.trim()
  if (field.kind === 'time') return timeOf(text)
  if (field.kind === 'choice') return field.values.includes(text) ? text : undefined
  if (!isNumber(field)) return text || undefined
  if (!termFits(field.kind, text, rangeOf(field))) return undefined
  if (field.kind === 'percent') return shareOf(text)
  return field.kind === 'whole' ? Number(text) : text
}

/** Members of terms in their order, as text. */
export const typedTerms = (fields: TermFields, terms: object, units: TermUnits = {}): TypedTerm[] =>
  Object.entries(fields).map(([name, field]) => {
    const value = (terms as Record<string, unknown>)[name]
    const choice = field.kind === 'choice' ? name : ''
    return { name, value: typedValue(field, value), shown: shownValue(field, value, units), choice }
  })

/** Differences of two versions. @param before undefined where the terms are new */
export function termChanges(fields: TermFields, before: object | undefined, after: object, units: TermUnits = {}): TermChange[] {
  const old = new Map(before && typedTerms(fields, before, units).map(({ name, shown }) => [name, shown]))
  return typedTerms(fields, after, units).flatMap((term) =>
    (old.get(term.name) ?? '') === term.shown ? [] : [{ ...term, before: old.get(term.name) ?? '' }],
  )
}

/** Schema of one member, as a zod object has it in `shape`. */
type Shape = Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>

/**
 * Terms with typed members in place of those that were there; a member that is not typed stays.
 * @returns the new terms, or the name of the first member that is wrong or missing
 */
export function readTerms(
  fields: TermFields,
  shape: Shape,
  before: object | undefined,
  typed: Readonly<Record<string, string | undefined>>,
): { terms: object } | { wrong: string } {
  const terms: Record<string, unknown> = { ...before }
  for (const [name, field] of Object.entries(fields)) {
    const [text = '', was] = [typed[name], terms[name]]
    const value = text === '' ? was : readValue(field, text)
    const isNone = text !== '' && value === undefined
    const isMoved = field.fixed && before !== undefined && typedValue(field, value) !== typedValue(field, was)
    if (isNone || isMoved || !shape[name]!.safeParse(value).success) return { wrong: name }
    if (text !== '' && field.kind === 'own' && field.isSensible?.(value) === false) return { wrong: name }
    if (value !== undefined) terms[name] = value
  }
  return { terms }
}
