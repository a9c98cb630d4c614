import * as z from 'zod'

/** Building blocks of inputs and outputs. A decimal is text: digits, never a float. */
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ decimal: true })
  .describe('exact decimal as text')
/** Milliseconds since 1970-01-01 UTC. */
export const timeMs = z.int().nonnegative().describe('milliseconds since 1970 UTC')
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
export const amountText = z.string().min(1).max(41).meta({ decimal: true }).describe('exact decimal as text: digits, one point, no sign')
export const currencyId = integerText(1, 2_000_000_000).describe('id of currency.list')
export const chain = z.string().min(1).max(20).describe('one of the chains of the coin')
/** What names a coin in an answer. */
export const coin = { currency_id: z.int().positive(), currency_code: z.string(), scale: z.int().nonnegative().describe('decimals') }
