import { product } from '#contract/money.ts'
import { type OptionDuration, type TradeProduct, termsOf } from '#contract/trading.ts'

/** Terms as an operator reads and types them: shares in percent. */

interface TypedTerm {
  name: string
  /** As it is typed. */
  value: string
  /** With its unit. */
  shown: string
}
/** A change of one member. `before` is empty where the member is new. */
export interface TermChange extends TypedTerm {
  before: string
}
/** Coins of a symbol. */
interface TermCoins {
  base: string
  quote: string
}

const isShare = (name: string) => name.endsWith('_rate') || ['spread', 'tolerance', 'price_band'].includes(name)
const percentOf = (share: string) => product(share, '100')
const decimalText = /^(0|[1-9]\d{0,14})(\.\d{1,12})?$/
/** A text that is no number stays, and is refused as such. */
const shareOf = (percent: string) => (decimalText.test(percent) ? product(percent, '0.01') : percent)

function typedMember(name: string, value: unknown): string {
  // One duration a line: seconds, payout in percent, least and greatest stake.
  if (name === 'durations')
    return (value as OptionDuration[])
      .map(({ seconds, payout_rate, stake_min, stake_max }) => `${seconds} ${percentOf(payout_rate)} ${stake_min} ${stake_max}`)
      .join('\n')
  if (Array.isArray(value)) return value.join(', ')
  return isShare(name) ? percentOf(String(value)) : String(value)
}

function shownMember(name: string, value: unknown, { base, quote }: TermCoins): string {
  if (name === 'durations')
    return (value as OptionDuration[])
      .map(
        ({ seconds, payout_rate, stake_min, stake_max }) => `${seconds} s: ${percentOf(payout_rate)} %, ${stake_min}–${stake_max} ${quote}`,
      )
      .join('; ')
  if (name === 'multiples') return (value as number[]).map((one) => `${one}×`).join(', ')
  const typed = typedMember(name, value)
  if (isShare(name)) return `${typed} %`
  if (name === 'lot_size' || name === 'size_max') return `${typed} ${base}`
  return name === 'value_min' ? `${typed} ${quote}` : typed
}

/** Members of terms in their order, as text. */
export function typedTerms(product: TradeProduct, terms: object, coins: TermCoins): TypedTerm[] {
  const values = terms as Record<string, unknown>
  return Object.keys(termsOf[product].shape).map((name) => ({
    name,
    value: typedMember(name, values[name]),
    shown: shownMember(name, values[name], coins),
  }))
}

/** Returns the differences between two versions. */
export function termChanges(product: TradeProduct, before: object, after: object, coins: TermCoins): TermChange[] {
  const old = new Map(typedTerms(product, before, coins).map(({ name, shown }) => [name, shown]))
  return typedTerms(product, after, coins).flatMap((term) =>
    old.get(term.name) === term.shown ? [] : [{ ...term, before: old.get(term.name) ?? '' }],
  )
}

const words = (text: string) => text.split(/[\s,]+/).filter(Boolean)

function readMember(name: string, text: string): unknown {
  if (name === 'multiples') return words(text).map(Number)
  if (name === 'durations') {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [seconds, payout, stake_min, stake_max, ...rest] = line.split(/\s+/)
        // A line with more in it is no duration.
        return rest.length ? undefined : { seconds: Number(seconds), payout_rate: payout && shareOf(payout), stake_min, stake_max }
      })
  }
  return isShare(name) ? shareOf(text.trim()) : text.trim()
}

/** Checks the rules of a member of terms beside its type. */
function isSensible(name: string, value: unknown): boolean {
  const isAscending = (list: number[]) => list.every((one, at) => at === 0 || one > list[at - 1]!)
  if (name === 'multiples') return isAscending(value as number[]) && (value as number[]).every((one) => one <= 1_000)
  if (name === 'durations') {
    const list = value as OptionDuration[]
    const isFair = ({ seconds, payout_rate, stake_min, stake_max }: OptionDuration) =>
      seconds <= 86_400 &&
      [payout_rate, stake_min, stake_max].every((text) => decimalText.test(text)) &&
      Number(payout_rate) > 0 &&
      Number(stake_min) > 0 &&
      Number(stake_min) <= Number(stake_max)
    return isAscending(list.map(({ seconds }) => seconds)) && list.every(isFair)
  }
  if (!decimalText.test(value as string)) return false
  // The margin ratio of a position divides by the maintenance margin.
  if (isShare(name)) return Number(value) < 1 && (name !== 'maintenance_rate' || Number(value) > 0)
  return Number(value) > 0
}

/** Part of its notional value that a position must have when it opens: the maintenance margin, and what the spread takes from it, rounding included. */
const openingCost = ({ maintenance_rate, spread }: { maintenance_rate?: string; spread?: string }): number =>
  (Number(maintenance_rate) + Number(spread) / 2) * 1.01

/**
 * Terms with what an operator typed in place of what was there.
 * @returns the new terms, or the name of the first member that is wrong
 */
export function readTerms(
  product: TradeProduct,
  before: object,
  typed: Record<string, string | undefined>,
): { terms: object } | { wrong: string } {
  const terms: Record<string, unknown> = { ...before }
  for (const name of Object.keys(termsOf[product].shape)) {
    const text = typed[name]
    if (text === undefined || text === '') continue
    const value = readMember(name, text)
    const shape = (termsOf[product].shape as Record<string, { safeParse(value: unknown): { success: boolean } }>)[name]!
    if (!shape.safeParse(value).success || !isSensible(name, value)) return { wrong: name }
    terms[name] = value
  }
  const contract = terms as { maintenance_rate?: string; spread?: string; multiples?: number[]; lots_min?: string; lots_max?: string }
  // A position must not be liquidated by its opening, half of the spread beside the price.
  if (contract.multiples && openingCost(contract) * Math.max(...contract.multiples) >= 1)
    return { wrong: typed.spread === undefined || typed.maintenance_rate !== undefined ? 'maintenance_rate' : 'spread' }
  if (contract.lots_min && Number(contract.lots_min) > Number(contract.lots_max)) return { wrong: 'lots_max' }
  const spot = terms as { tolerance?: string; price_band?: string; maker_rate?: string; taker_rate?: string }
  // The highest cost that an order shows is computed with the rate of the taker.
  if (spot.maker_rate && Number(spot.maker_rate) > Number(spot.taker_rate)) return { wrong: 'maker_rate' }
  // The worst price that an app sends with a market order must lie in the band.
  if (spot.price_band && Number(spot.tolerance) > Number(spot.price_band)) return { wrong: 'tolerance' }
  return { terms }
}
