import * as z from 'zod'
import { lengthOf, unitsMax } from '#contract/characters.ts'
import { msOf } from '#contract/times.ts'
import type { Unit } from '#contract/units.ts'

/**
 * The most rows of a list in an answer. Each is kept by the server where the rows come from, so that documents may iterate over such a list
 * (`expressionItemsMax` of language/documents/limits.ts).
 */
export const listMost = {
  page: 100,
  /** A server does not start with more in its tables. */
  instruments: 500,
  currencies: 500,
  /** Waiting orders and open positions of one customer together. */
  positions: 200,
  followings: 100,
  /** Days of the curve of a trader. */
  curve: 90,
  /** Months of invited friends. */
  months: 12,
  /** Members of the terms of an instrument. */
  terms: 20,
  /** Of the terms of an instrument: what 400 typed characters can hold at most. */
  multiples: 200,
  durations: 50,
} as const

/** Building blocks of inputs and outputs. Decimals are text, never floats. */
export const decimal = (unit?: Unit) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .meta({ decimal: true, ...unit })
    .describe('exact decimal as text')
/** An amount of the currency that a member of the row names, or of a currency given by code. */
export const amountIn = (coin: string) => decimal({ unit: 'amount', coin })
/** A share of a whole, 0 to 1. */
export const share = decimal({ unit: 'share' })
/** Milliseconds since 1970-01-01 UTC. */
export const timeMs = z.int().nonnegative().meta({ unit: 'ms' }).describe('milliseconds since 1970 UTC')
export const symbol = z
  .string()
  .regex(/^[A-Z0-9]{2,20}$/)
  .describe('trading symbol, BTCUSDT')

/** Text of so many characters at most, as a person sees them. */
export const words = (max: number) =>
  z
    .string()
    .max(unitsMax(max))
    .superRefine((text, { addIssue }) => {
      if (lengthOf(text, max + 1) > max) addIssue({ code: 'too_big', origin: 'string', maximum: max, input: text })
    })

/** An integer as text: ASCII digits only. */
export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))

/** A time as text, parsed to milliseconds. */
export const timeText = integerText(0, 99_999_999_999_999)
  .transform(msOf)
  .describe('milliseconds since 1970 UTC; up to ten digits are seconds')
/** The times of a list, both optional. @param of what the times are of: "of the order" */
export const timeRange = (of: string) => ({
  from: timeText.optional().describe(`${of}, inclusive; ms UTC, up to ten digits are seconds`),
  to: timeText.optional().describe(`${of}, exclusive; ms UTC, up to ten digits are seconds`),
})

/** Version of the terms that a screen showed, given with an order. */
export const shownTerms = integerText(1, 2_000_000_000)
  .optional()
  .describe('version of the terms that the screen showed; refused when others count by now')

/** Fields of every call; `lang` falls back to en. */
export const page = integerText(1, 100_000).default(1)
export const size = integerText(1, listMost.page).default(10)

/** One page of a list. `key` names the member that identifies a row; typed paths look rows up by it. */
export function listOf<T extends z.ZodType>(row: T, key: string) {
  return z.object({ list: z.array(row).max(listMost.page).meta({ key }), total: z.int().nonnegative() })
}

/**
 * Rows of a form: in form encoding the JSON text of a list of records. A problem names the row: `exits.2.price`.
 * @param most rows
 */
export const rowsText = <Row extends z.ZodType>(row: Row, most: number) => z.preprocess(rowsIn, z.array(row).max(most))

const rowsTextMax = 50_000
function rowsIn(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > rowsTextMax || !text.startsWith('[')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Number of a row, as text. */
export const id = integerText(1, 2_000_000_000)
/** A typed amount of money. money.ts parses it, at the scale of its currency. */
export const amountText = z
  .string()
  .min(1)
  .max(41)
  .meta({ decimal: true, unit: 'amount' })
  .describe('exact decimal as text: digits, one point, no sign')
export const currencyId = integerText(1, 2_000_000_000).describe('id of currency.list')
export const chain = z.string().min(1).max(20).describe('one of the chains of the currency')
/** Code of a currency, such as BTC. Amounts of the same row refer to this member. */
export const coinCode = z.string().meta({ coin: true })
/** Destination of money: the prompt before the money moves shows it. */
export const receiver = z.string().meta({ receiver: true })
/** Members that name a currency in an answer. */
export const coin = { currency_id: z.int().positive(), currency_code: coinCode, scale: z.int().nonnegative().describe('decimals') }
/** A list as a file. */
export const csvFile = z.object({
  name: z.string().describe('file name'),
  type: z.literal('text/csv'),
  text: z.string(),
  rows: z.int(),
  cut: z.boolean().describe('there is more than fits'),
})
