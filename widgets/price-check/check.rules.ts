import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import Big from 'big.js'
import { type ChainedTick, followChain, type Sha256, tickHash } from '#contract/tick-chain.ts'
import type { PriceCheckProps } from '#widgets/price-check/price-check.props.ts'

/** A price as `market.ticks` answers it. */
export type LogTick = PriceCheckProps['tick']
/** The end of a day as `market.dayEnds` answers it. */
export interface DayEnd {
  day: number
  tick_id: number
  hash: string
}

export const checkLimits = {
  /** Prices of one call. */
  page: 500,
  /** Prices that are read before and after the one that is checked; the script of the guide reads all. */
  before: 2_000,
  after: 2_000,
  /** Neighbours to read where the rule needs none. */
  neighbours: 20,
} as const

/** `open`: it could not be found out here, or is for people to compare. */
type Result = 'right' | 'wrong' | 'open'
/** One sentence of the result: its key in widget.json is `check_` with the text, and its values. */
export interface Finding {
  text:
    | `hash_${'right' | 'wrong'}`
    | `log_${'right' | 'wrong'}`
    | `chain_${'right' | 'wrong'}`
    | `last_${'right' | 'wrong' | 'after' | 'late' | 'open'}`
    | `reached_${'right' | 'wrong'}`
    | `first_${'right' | 'earlier' | 'open'}`
    | `day_${'right' | 'wrong' | 'open' | 'none'}`
  result: Result
  values: Record<string, string | number>
}

const hexOf: Sha256 = (text) => bytesToHex(sha256(utf8ToBytes(text)))
const chained = ({ tick_id: id, ...rest }: LogTick): ChainedTick => ({ id, ...rest })

/** The number of the first price to read. */
export function firstRead({ tick, rule, since }: Pick<PriceCheckProps, 'tick' | 'rule' | 'since'>): number {
  const counted = rule === 'first' ? Math.max(tick.tick_id - checkLimits.before, (since ?? 0) + 1) : tick.tick_id
  return Math.max(1, Math.min(counted, tick.tick_id - checkLimits.neighbours))
}

const isLater = (row: LogTick, { tick }: PriceCheckProps) => row.symbol === tick.symbol && row.tick_id > tick.tick_id
const nextOf = (props: PriceCheckProps, rows: readonly LogTick[]) =>
  rows.find((row) => isLater(row, props) && row.time > (props.until ?? props.tick.time))

/** Whether enough was read: for the last one up to a time, the next of its symbol and what was in the log at the settlement. */
export function isEnough(props: PriceCheckProps, rows: readonly LogTick[]): boolean {
  const read = (rows.at(-1)?.tick_id ?? 0) - props.tick.tick_id
  if (props.rule !== 'last' || read >= checkLimits.after) return read > 0
  return nextOf(props, rows) !== undefined && (rows.at(-1)?.tick_id ?? 0) >= (props.end ?? 0)
}

function ofLast(props: PriceCheckProps, rows: readonly LogTick[]): Finding {
  const { tick, until = 0, end } = props
  const symbol = tick.symbol
  const between = rows.filter(
    (row) => row.symbol === symbol && row.time <= until && (row.time > tick.time || (row.time === tick.time && row.tick_id > tick.tick_id)),
  )
  const counted = between.find((row) => row.tick_id <= (end ?? Number.MAX_SAFE_INTEGER))
  if (tick.time > until) return { text: 'last_after', result: 'wrong', values: {} }
  if (counted) return { text: 'last_wrong', result: 'wrong', values: { n: counted.tick_id } }
  if (between[0]) return { text: 'last_late', result: 'open', values: { n: between[0].tick_id } }
  const next = nextOf(props, rows)
  if (!next) return { text: 'last_open', result: 'open', values: { symbol, n: rows.at(-1)?.tick_id ?? tick.tick_id } }
  return { text: 'last_right', result: 'right', values: { symbol, n: next.tick_id } }
}

function ofFirst({ tick, level, rising, since }: PriceCheckProps, rows: readonly LogTick[]): Finding[] {
  const { symbol } = tick
  if (level === null || level === undefined) return []
  const hasReached = (price: string) => (rising ? new Big(price).gte(level) : new Big(price).lte(level))
  const reached = hasReached(tick.price)
  const found: Finding[] = [{ text: reached ? 'reached_right' : 'reached_wrong', result: reached ? 'right' : 'wrong', values: { level } }]
  const counted = (since ?? 0) + 1
  const from = Math.max(counted, rows[0]?.tick_id ?? tick.tick_id)
  const earlier = rows.find((row) => row.symbol === symbol && row.tick_id >= from && row.tick_id < tick.tick_id && hasReached(row.price))
  if (earlier) found.push({ text: 'first_earlier', result: 'open', values: { n: earlier.tick_id } })
  else if (from > counted) found.push({ text: 'first_open', result: 'open', values: { symbol, from, n: counted } })
  else found.push({ text: 'first_right', result: 'right', values: { symbol, from } })
  return found
}

function ofDay({ tick }: PriceCheckProps, rows: readonly LogTick[], ends: readonly DayEnd[]): Finding {
  const end = ends.find((one) => one.tick_id >= tick.tick_id)
  if (!end) return { text: 'day_none', result: 'open', values: {} }
  const row = rows.find((one) => one.tick_id === end.tick_id)
  const values = { n: end.tick_id, hash: end.hash, day: new Date(end.day).toISOString().slice(0, 10) }
  if (!row) return { text: 'day_open', result: 'open', values }
  const isSame = row.hash === end.hash
  return { text: isSame ? 'day_right' : 'day_wrong', result: isSame ? 'right' : 'wrong', values }
}

/**
 * Checks a price against its own fields, the prices around it and the ends of days. All hashes are computed here.
 * @param rows of the log, in the order of their numbers
 * @param ends from the day of the price on, oldest first
 */
export function checkPrice(props: PriceCheckProps, rows: readonly LogTick[], ends: readonly DayEnd[]): Finding[] {
  const { tick } = props
  const n = tick.tick_id
  const isHashed = tickHash(hexOf, tick.prev_hash, chained(tick)) === tick.hash
  const row = rows.find((one) => one.tick_id === n)
  const isLogged = row !== undefined && row.hash === tick.hash && row.price === tick.price && row.time === tick.time
  const first = rows[0]
  const chain = first && followChain(hexOf, { id: first.tick_id - 1, hash: first.prev_hash }, rows.map(chained))
  const brokenAt = chain && 'brokenAt' in chain ? chain.brokenAt : undefined
  return [
    { text: isHashed ? 'hash_right' : 'hash_wrong', result: isHashed ? 'right' : 'wrong', values: {} },
    { text: isLogged ? 'log_right' : 'log_wrong', result: isLogged ? 'right' : 'wrong', values: { n } },
    brokenAt === undefined && first
      ? { text: 'chain_right', result: 'right', values: { read: rows.length, from: first.tick_id, to: rows.at(-1)!.tick_id } }
      : { text: 'chain_wrong', result: 'wrong', values: { n: brokenAt ?? n } },
    ...(props.rule === 'last' ? [ofLast(props, rows)] : props.rule === 'first' ? ofFirst(props, rows) : []),
    ofDay(props, rows, ends),
  ]
}
