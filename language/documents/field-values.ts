import * as z from 'zod/mini'
import { lengthOf } from '#contract/characters.ts'
import { withoutDirections } from '#contract/rules/typed.rules.ts'
import type { FieldDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { arithmetic, compare } from '#language/expression/arithmetic.ts'
import { decimalOf } from '#language/expression/decimal.ts'

/** The page's policy allows no eval, so zod may not write code of its own. */
z.config({ jitless: true })

/** Why an entry is not what its type wants: `form.<key>` is the sentence. */
export interface Wrong {
  key:
    | 'not_a_number'
    | 'not_whole'
    | 'too_small'
    | 'too_great'
    | 'not_a_step'
    | 'not_a_step_from'
    | 'too_many_decimals'
    | 'too_short'
    | 'too_long'
    | 'odd_characters'
    | 'choose_one'
    | 'choose_fewer'
    | 'choose_more'
    | 'too_few_rows'
    | 'too_many_rows'
    | 'date_wrong'
    | 'date_early'
    | 'date_late'
    | 'file_wrong'
    | 'code_length'
  args?: Readonly<Record<string, unknown>>
}

/** Bounds of a field as they are at this moment; what is null or absent does not bind. */
export interface Bounds {
  min?: unknown
  max?: unknown
  step?: unknown
  options?: unknown
}

export type FieldSchema = z.ZodMiniType<unknown, unknown>

const decimalsMax = 18
const textMax = 10_000
const passwordMax = 200
const listMax = 200
const addressMax = 2_000
const codeLength = 6

/** C0 without tab and line ends, delete, and signs that turn the direction of writing around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const odd = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/
const digits = /^[0-9]+$/
const whole = /^-?(?:0|[1-9][0-9]{0,59})$/
const isoDate = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

const wrong = (key: Wrong['key'], args?: Wrong['args']): Wrong => (args ? { key, args } : { key })

/** A zod check from a function that names what is wrong. */
function judged<T>(find: (value: T) => Wrong | undefined) {
  return z.check<T>((payload) => {
    const found = find(payload.value)
    if (found) payload.issues.push({ code: 'custom', input: payload.value, message: found.key, params: { wrong: found } })
  })
}

function numberWrong(value: string, { min, max, step }: Bounds, integer: boolean): Wrong | undefined {
  if (value.length > 122 || !decimalOf(value)) return wrong('not_a_number')
  if (integer && !whole.test(value)) return wrong('not_whole')
  const decimals = value.length - (value.indexOf('.') + 1 || value.length)
  if (compare(step, 0) !== 1) {
    if (decimals > decimalsMax) return wrong('too_many_decimals', { decimals: decimalsMax })
  } else {
    // Steps count from the least value, as in HTML.
    const base = decimalOf(min) ? min : 0
    const isOn = (offset: unknown) => compare(arithmetic('%', [offset, step]), 0) === 0
    if (!isOn(arithmetic('-', [value, base]))) return isOn(base) ? wrong('not_a_step', { step }) : wrong('not_a_step_from', { step, min })
  }
  if (min !== undefined && min !== null && compare(value, min) === -1) return wrong('too_small', { min })
  if (max !== undefined && max !== null && compare(value, max) === 1) return wrong('too_great', { max })
  return undefined
}

function textWrong(value: string, least: number, most: number): Wrong | undefined {
  const length = lengthOf(value, most + 1)
  if (length < least) return wrong('too_short', { min: least })
  if (length > most) return wrong('too_long', { max: most })
  return odd.test(value) ? wrong('odd_characters') : undefined
}

/** The day of an ISO date or time, or of milliseconds since 1970; undefined for what is none. */
function dayOf(value: unknown): string | undefined {
  const time =
    typeof value === 'number'
      ? value
      : typeof value === 'string'
        ? Date.parse(isoDate.test(value) ? `${value}T00:00:00Z` : value)
        : Number.NaN
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? undefined : new Date(time).toISOString().slice(0, 10)
}

function dateWrong(value: string, { min, max }: Bounds): Wrong | undefined {
  if (!isoDate.test(value) || dayOf(value) !== value) return wrong('date_wrong')
  const first = dayOf(min)
  const last = dayOf(max)
  if (first !== undefined && value < first) return wrong('date_early', { min: first })
  if (last !== undefined && value > last) return wrong('date_late', { max: last })
  return undefined
}

/** Ids of options `[{id, label}]`; undefined when there is no list. */
function optionIds(options: unknown): unknown[] | undefined {
  if (!Array.isArray(options)) return undefined
  return options.map((one) => (typeof one === 'object' && one !== null && Object.hasOwn(one, 'id') ? (one as { id: unknown }).id : one))
}

function choiceWrong(value: unknown, options: unknown): Wrong | undefined {
  const ids = optionIds(options)
  return ids && !ids.includes(value) ? wrong('choose_one') : undefined
}

function listWrong(value: readonly unknown[], { min, max, options }: Bounds): Wrong | undefined {
  if (new Set(value).size !== value.length || value.length > listMax) return wrong('choose_one')
  const ids = optionIds(options)
  if (ids && !value.every((one) => ids.includes(one))) return wrong('choose_one')
  if (compare(value.length, min) === -1) return wrong('choose_more', { min })
  if (compare(value.length, max) === 1) return wrong('choose_fewer', { max })
  return undefined
}

function rowsWrong(value: readonly unknown[], { min, max }: Bounds): Wrong | undefined {
  if (compare(value.length, min) === -1) return wrong('too_few_rows', { min })
  const most = compare(max, limits.rowsMax) === -1 ? max : limits.rowsMax
  return compare(value.length, most) === 1 ? wrong('too_many_rows', { max: most }) : undefined
}

/**
 * The zod schema of one field. It judges entries that are not empty; bounds are asked for each time, because they may move.
 * @param bounds what holds at the moment of judging
 */
export function schemaOf(
  { type, minLength, maxLength }: Pick<FieldDoc, 'type' | 'minLength' | 'maxLength'>,
  bounds: () => Bounds,
): FieldSchema {
  switch (type) {
    case 'decimal':
    case 'integer':
      return z.string().check(judged((value) => numberWrong(value, bounds(), type === 'integer')))
    case 'string':
      return z.string().check(judged((value) => textWrong(value, minLength ?? 0, maxLength ?? textMax)))
    case 'password':
      return z.string().check(judged((value) => textWrong(value, minLength ?? 0, maxLength ?? passwordMax)))
    case 'code': {
      const most = maxLength ?? codeLength
      const least = minLength ?? most
      const fits = (value: string) => digits.test(value) && value.length >= least && value.length <= most
      return z.string().check(judged((value) => (fits(value) ? undefined : wrong('code_length', { length: most }))))
    }
    case 'enum':
      return z.union([z.string(), z.number()]).check(judged((value) => choiceWrong(value, bounds().options)))
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.string().check(judged((value) => dateWrong(value, bounds())))
    case 'file':
      return z.string().check(judged((value) => (value.length > addressMax || odd.test(value) ? wrong('file_wrong') : undefined)))
    case 'list':
      return z.array(z.union([z.string(), z.number()])).check(judged((value) => listWrong(value, bounds())))
    case 'rows':
      return z.array(z.record(z.string(), z.unknown())).check(judged((value) => rowsWrong(value, bounds())))
  }
}

const typeWrong: Record<FieldDoc['type'], Wrong['key']> = {
  decimal: 'not_a_number',
  integer: 'not_a_number',
  string: 'odd_characters',
  password: 'odd_characters',
  code: 'code_length',
  enum: 'choose_one',
  boolean: 'choose_one',
  date: 'date_wrong',
  file: 'file_wrong',
  list: 'choose_one',
  rows: 'too_many_rows',
}

/** Returns the problem that a schema finds in an entry; undefined for a valid entry. */
export function wrongIn(schema: FieldSchema, { type, maxLength }: Pick<FieldDoc, 'type' | 'maxLength'>, value: unknown): Wrong | undefined {
  const result = z.safeParse(schema, value)
  if (result.success) return undefined
  const issue = result.error.issues[0] as { params?: { wrong?: Wrong } } | undefined
  return issue?.params?.wrong ?? wrong(typeWrong[type], type === 'code' ? { length: maxLength ?? codeLength } : undefined)
}

/**
 * The content of a control as the value that rules, expressions and calls read. Empty is null: present, and nothing. Text loses marks of
 * direction, and blanks at its ends, but for passwords; numbers stay the text that was typed, so that nothing is rounded; a choice gets the id that its option has.
 */
export function entryValue(type: FieldDoc['type'], raw: unknown, options?: unknown): unknown {
  if (raw === undefined || raw === null || raw === '') return type === 'boolean' ? false : null
  if (type === 'string' && typeof raw === 'string') return withoutDirections(raw).trim() || null
  if ((type === 'decimal' || type === 'integer') && Number.isSafeInteger(raw)) return String(raw)
  if (type === 'list' || type === 'rows') return Array.isArray(raw) && raw.length === 0 ? null : raw
  if (type === 'enum' && typeof raw === 'string') return optionIds(options)?.find((id) => String(id) === raw) ?? raw
  return raw
}

/** True when there is nothing to judge. A switch that is off is empty for `required`, and false for everything else. */
export const isEmptyValue = (value: unknown): boolean => value === null || value === undefined
