import { product } from '#contract/money.ts'

/** Terms as operators read and type them, by a table of their members. */

/** Units of one set of terms: base and quote coin of a symbol, for example. */
export type TermUnits = Readonly<Record<string, string>>

/** A member in a form of its own. */
export interface OwnTerm {
  kind: 'own'
  typed(value: unknown): string
  shown(value: unknown, units: TermUnits): string
  read(text: string): unknown
  isSensible?(value: unknown): boolean
}
/**
 * How a member is typed and shown. `decimal` and `whole` are above 0. `percent` is a share from 0 on, typed in percent and below 100 unless `most` says
 * more. `time` is ms UTC, typed as 2026-12-31 08:00. `unit` stands behind a value: a text, or the name of a unit with an @ (@base).
 */
export type TermField =
  | { kind: 'decimal' | 'whole' | 'text' | 'time'; unit?: string }
  | { kind: 'percent'; most?: number; isPositive?: boolean }
  | { kind: 'choice'; values: readonly string[] }
  | OwnTerm
export type TermFields = Readonly<Record<string, TermField>>

export interface TypedTerm {
  name: string
  /** As it is typed. */
  value: string
  /** With its unit. */
  shown: string
}
/** A change of one member; `before` is empty where the member is new. */
export interface TermChange extends TypedTerm {
  before: string
}

const decimalText = /^(0|[1-9]\d{0,14})(\.\d{1,12})?$/
export const isDecimal = (text: unknown): text is string => typeof text === 'string' && decimalText.test(text)
export const percentOf = (share: string) => product(share, '100')
/** A text that is no number stays, and is refused as such. */
export const shareOf = (percent: string) => (decimalText.test(percent) ? product(percent, '0.01') : percent)
const timePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/
/** A time as it is typed, UTC. @param at ms UTC */
export const timeText = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

function typedValue(field: TermField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'own') return field.typed(value)
  if (field.kind === 'percent') return percentOf(String(value))
  return field.kind === 'time' ? timeText(value as number) : String(value)
}
function shownValue(field: TermField, value: unknown, units: TermUnits): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'own') return field.shown(value, units)
  const typed = typedValue(field, value)
  if (field.kind === 'percent') return `${typed} %`
  if (field.kind === 'time') return `${typed} UTC`
  const unit = 'unit' in field ? field.unit : undefined
  if (unit === undefined) return typed
  return `${typed} ${unit.startsWith('@') ? (units[unit.slice(1)] ?? '') : unit}`.trim()
}
function readValue(field: TermField, text: string): unknown {
  if (field.kind === 'own') return field.read(text)
  const trimmed = text.trim()
  if (field.kind === 'percent') return shareOf(trimmed)
  if (field.kind === 'whole') return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
  if (field.kind === 'time') return timePattern.test(trimmed) ? Date.parse(`${trimmed.replace(' ', 'T')}:00Z`) : trimmed
  return trimmed
}
/** Whether a value is one of its kind, beside its type. */
function isSensible(field: TermField, value: unknown): boolean {
  switch (field.kind) {
    case 'own':
      return field.isSensible?.(value) ?? true
    case 'choice':
      return field.values.includes(String(value))
    case 'percent':
      return isDecimal(value) && Number(value) < (field.most ?? 1) && (!field.isPositive || Number(value) > 0)
    case 'decimal':
      return isDecimal(value) && Number(value) > 0
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) > 0
    case 'time':
      return Number.isSafeInteger(value)
    default:
      return typeof value === 'string' && value !== ''
  }
}

/** Members of terms in their order, as text. */
export const typedTerms = (fields: TermFields, terms: object, units: TermUnits = {}): TypedTerm[] =>
  Object.entries(fields).map(([name, field]) => {
    const value = (terms as Record<string, unknown>)[name]
    return { name, value: typedValue(field, value), shown: shownValue(field, value, units) }
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
    const text = typed[name]
    if (text !== undefined && text !== '') {
      const value = readValue(field, text)
      if (!shape[name]!.safeParse(value).success || !isSensible(field, value)) return { wrong: name }
      terms[name] = value
    } else if (!shape[name]!.safeParse(terms[name]).success) return { wrong: name }
  }
  return { terms }
}
