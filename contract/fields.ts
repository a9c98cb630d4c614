import * as z from 'zod'
import type { Unit } from '#contract/units.ts'

/** Building blocks of inputs and outputs. A decimal is text: digits, never a float. */
export const decimal = (unit?: Unit) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .meta({ decimal: true, ...unit })
    .describe('exact decimal as text')
/** An amount of the coin that a member of the row names, or of a coin by its code. */
export const amountIn = (coin: string) => decimal({ unit: 'amount', coin })
/** A part of a whole, 0 to 1. */
export const share = decimal({ unit: 'share' })
/** Milliseconds since 1970-01-01 UTC. */
export const timeMs = z.int().nonnegative().meta({ unit: 'ms' }).describe('milliseconds since 1970 UTC')
export const symbol = z
  .string()
  .regex(/^[A-Z0-9]{2,20}$/)
  .describe('trading symbol, BTCUSDT')

/** An integer that arrives as text: ASCII digits only. */
export const integerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))

/** Times below this number are seconds, the others milliseconds: ten digits against eleven and more. */
const secondsBelow = 10_000_000_000
/** A time that arrives as text, in milliseconds afterwards. Every call reads times by this rule. */
export const timeText = integerText(0, 99_999_999_999_999)
  .transform((time) => (time < secondsBelow ? time * 1_000 : time))
  .describe('milliseconds since 1970 UTC; up to ten digits are seconds')

/** Fields that every call may carry; `lang` falls back to en. */
export const page = integerText(1, 100_000).default(1)
export const size = integerText(1, 100).default(10)

/** One page of a list. `key` names the member that tells rows apart; typed paths look rows up by it. */
export function listOf<T extends z.ZodType>(row: T, key: string) {
  return z.object({ list: z.array(row).meta({ key }), total: z.int().nonnegative() })
}

/** A row's number, as text. */
export const id = integerText(1, 2_000_000_000)
/** An amount of money as it was typed; the one strict parser of money.ts reads it, at the scale of its currency. */
export const amountText = z
  .string()
  .min(1)
  .max(41)
  .meta({ decimal: true, unit: 'amount' })
  .describe('exact decimal as text: digits, one point, no sign')
export const currencyId = integerText(1, 2_000_000_000).describe('id of currency.list')
export const chain = z.string().min(1).max(20).describe('one of the chains of the coin')
/** The code of a coin, such as BTC. Amounts beside it name its member. */
export const coinCode = z.string().meta({ coin: true })
/** Where money goes: a question before the money moves shows it. */
export const receiver = z.string().meta({ receiver: true })
/** What names a coin in an answer. */
export const coin = { currency_id: z.int().positive(), currency_code: coinCode, scale: z.int().nonnegative().describe('decimals') }
