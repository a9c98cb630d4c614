import { isAmount, percentOf, shareOf, type TermFields } from '#api-server/kit/terms.rules.ts'
import type { OptionDuration, TradeProduct } from '#contract/trading.ts'

/** Members of the terms of symbols: how operators type and read them. Units are the coins of the symbol. */

const words = (text: string) => text.split(/[\s,]+/).filter(Boolean)
const isAscending = (list: readonly number[]) => list.every((one, at) => at === 0 || one > list[at - 1]!)

const share = { kind: 'percent' } as const
const tolerance = { kind: 'percent', hint: true } as const
const multiples = {
  kind: 'own',
  hint: true,
  typed: (value) => (value as number[]).join(', '),
  shown: (value) => (value as number[]).map((one) => `${one}×`).join(', '),
  read: (text) => words(text).map(Number),
  isSensible: (value) => isAscending(value as number[]) && (value as number[]).every((one) => one <= 1_000),
} as const satisfies TermFields[string]

const isFair = ({ seconds, payout_rate, stake_min, stake_max }: OptionDuration) =>
  seconds <= 86_400 && [payout_rate, stake_min, stake_max].every(isAmount) && Number(stake_min) <= Number(stake_max)

/** One duration a line: seconds, payout in percent, least and greatest stake. */
const durations = {
  kind: 'own',
  hint: true,
  typed: (value) =>
    (value as OptionDuration[])
      .map(({ seconds, payout_rate, stake_min, stake_max }) => `${seconds} ${percentOf(payout_rate)} ${stake_min} ${stake_max}`)
      .join('\n'),
  shown: (value, { quote }) =>
    (value as OptionDuration[])
      .map(
        ({ seconds, payout_rate, stake_min, stake_max }) => `${seconds} s: ${percentOf(payout_rate)} %, ${stake_min}–${stake_max} ${quote}`,
      )
      .join('; '),
  read: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => {
        const [seconds, payout, stake_min, stake_max, ...rest] = line.split(/\s+/)
        // A line with more in it is no duration.
        return rest.length ? undefined : { seconds: Number(seconds), payout_rate: payout && shareOf(payout), stake_min, stake_max }
      }),
  isSensible(value) {
    const list = value as OptionDuration[]
    return isAscending(list.map(({ seconds }) => seconds)) && list.every(isFair)
  },
} as const satisfies TermFields[string]

/** Members in the order in which they are shown. */
export const termFieldsOf = {
  contract: {
    lot_size: { kind: 'decimal', unit: '@base' },
    lots_min: { kind: 'decimal' },
    lots_max: { kind: 'decimal' },
    multiples,
    fee_rate: share,
    // The margin ratio of a position divides by the maintenance margin.
    maintenance_rate: { kind: 'percent', above: '0', hint: true },
    overnight_rate: share,
    spread: share,
    tolerance,
  },
  option: { durations, tolerance },
  spot: {
    maker_rate: share,
    taker_rate: share,
    value_min: { kind: 'decimal', unit: '@quote' },
    size_max: { kind: 'decimal', unit: '@base' },
    price_band: share,
    tolerance,
  },
} as const satisfies Record<TradeProduct, TermFields>

/** Part of its notional value that a position must have when it opens: the maintenance margin, and the spread's share of it, rounding included. */
const openingCost = ({ maintenance_rate, spread }: { maintenance_rate?: string; spread?: string }): number =>
  (Number(maintenance_rate) + Number(spread) / 2) * 1.01

/** @returns the first member that does not fit the others; of two that could be changed, one that was changed */
export function misfitIn(terms: object, before: object | undefined): string | undefined {
  const contract = terms as { maintenance_rate?: string; spread?: string; multiples?: number[]; lots_min?: string; lots_max?: string }
  const was = before as typeof contract | undefined
  // A position must not be liquidated by its opening, half of the spread beside the price.
  if (contract.multiples && openingCost(contract) * Math.max(...contract.multiples) >= 1)
    return contract.spread === was?.spread || contract.maintenance_rate !== was?.maintenance_rate ? 'maintenance_rate' : 'spread'
  if (contract.lots_min && Number(contract.lots_min) > Number(contract.lots_max)) return 'lots_max'
  const spot = terms as { tolerance?: string; price_band?: string; maker_rate?: string; taker_rate?: string }
  // The most that an order costs is computed with the rate of the taker.
  if (spot.maker_rate && Number(spot.maker_rate) > Number(spot.taker_rate)) return 'maker_rate'
  // The worst price that an app sends with a market order must lie in the band.
  if (spot.price_band && Number(spot.tolerance) > Number(spot.price_band)) return 'tolerance'
  return undefined
}
