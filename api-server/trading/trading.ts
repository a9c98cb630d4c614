import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { MarketInstrument, MarketReads, PriceRead } from '#api-server/market/market.reads.ts'
import { inForceAt, isHaltedAt, isOpenAt, nextChange } from '#api-server/trading/hours.rules.ts'
import type { CalendarVersion, Halt, StoredTerms, TradingStore } from '#api-server/trading/trading.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import { priceAgeMsMax, type TermsByProduct, type TradeProduct } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

export type { StoredTerms } from '#api-server/trading/trading.store.ts'

/** Interface of the trading rules that all products share: terms, hours, halts, and prices that are young enough. */
export interface Trading {
  /** The terms that count now, with their version. @throws ApiProblem('symbol_unknown') when the symbol is not traded in that product */
  terms<P extends TradeProduct>(product: P, symbol: string): StoredTerms<P>
  /** Symbols of a product, in the order of the market. */
  symbols(product: TradeProduct): string[]
  instrument(symbol: string): MarketInstrument
  /** Whether the symbol can be traded now, and when that changes by the calendar. */
  hours(symbol: string): TradingHours
  /** Whether the symbol was traded at a moment, by the halts and the hours that counted then, as far as this node has heard of them. */
  wasOpen(symbol: string, at: number): boolean
  /** The same for moments from `since` on, by what is committed: for what a transaction decides. */
  wasOpenIn(tx: Tx, since: number): Promise<Trading['wasOpen']>
  /** When the halts and hours that this node knows were read, as `performance.now()`. */
  readAt(): number
  /** Told when this node has read other halts or hours, before anything is judged by them. @returns a function that ends it */
  listen(changed: () => void): () => void
  /** @throws ApiProblem('market_halted' | 'market_closed') */
  mustBeOpen(symbol: string): void
  /** The last price. @throws ApiProblem('price_stale') when it is older than 10 s */
  freshPrice(symbol: string): PriceRead
  /** Reads everything again, on this node and on the others; after the commit of a change. Never throws: what could not be read is read soon. */
  changed(): Promise<void>
  /** Reads changes of which no message came. */
  readonly jobs: readonly PlannedJob[]
  stop(): void
}

/** The facts that decide whether symbols are traded. */
interface InForce {
  /** By symbol, oldest first. */
  halts: ReadonlyMap<string, readonly Halt[]>
  /** By group, oldest first. */
  calendars: ReadonlyMap<string, readonly CalendarVersion[]>
}

interface TradingHours {
  open: boolean
  /** The halt with the operator's reason; undefined while the symbol is not halted. */
  halt: Halt | undefined
  /** The next opening or closing of the calendar, ms UTC; undefined for a symbol that is traded at all times. */
  next: { opens: boolean; at: number } | undefined
}

export interface TradingOptions {
  store: TradingStore
  reads: Pick<MarketReads, 'instrument' | 'lastPrice' | 'quoteAge'>
  clock: Clock
  bus: Bus
  log: Log
}

const changedTopic = 'trading.changed'
/** A change of which no message came, as while the bus is down, counts after so long. */
export const loadEveryMs = 2_000

/** Loads terms, halts and calendars into memory, and follows their changes. */
export async function openTrading({ store, reads, clock, bus, log }: TradingOptions): Promise<Trading> {
  let terms = new Map<string, StoredTerms>()
  let known: InForce = { halts: new Map(), calendars: new Map() }
  let readAt = 0
  const listeners = new Set<() => void>()
  const keyOf = (product: TradeProduct, symbol: string) => `${product} ${symbol}`

  async function read(): Promise<void> {
    const began = performance.now()
    const [rows, halts, calendars] = [await store.current(), await store.halts(), await store.calendars()]
    terms = new Map(rows.map((row) => [keyOf(row.product, row.symbol), row]))
    const found = inForceOf({ halts, calendars })
    readAt = began
    if (isDeepStrictEqual(known, found)) return
    known = found
    for (const listener of listeners) listener()
  }
  function byKey<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
    const found = new Map<string, T[]>()
    for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row])
    return found
  }
  const inForceOf = ({ halts, calendars }: { halts: readonly Halt[]; calendars: readonly CalendarVersion[] }): InForce => ({
    halts: byKey(halts, ({ symbol }) => symbol),
    calendars: byKey(calendars, ({ group }) => group),
  })
  function wasOpenBy({ halts, calendars }: InForce, symbol: string, at: number): boolean {
    const calendar = inForceAt(calendars.get(instrument(symbol).group) ?? [], at)?.calendar
    return !isHaltedAt(halts.get(symbol) ?? [], at) && isOpenAt(calendar, at)
  }
  let last = Promise.resolve()
  let waiting: Promise<void> | undefined
  /**
   * One after the other, so that an earlier one never overwrites what a later one has read. Callers that come while a load waits share it.
   */
  function load(): Promise<void> {
    waiting ??= last.then(() => {
      waiting = undefined
      return read()
    })
    last = waiting.catch(() => {})
    return waiting
  }
  const reload = () =>
    load().catch((error: unknown) => log.error({ err: error }, 'trading: changed terms could not be read; the earlier ones go on counting'))
  await load()
  const off = bus.subscribe(changedTopic, z.object({}), () => void reload())

  function instrument(symbol: string): MarketInstrument {
    const found = reads.instrument(symbol)
    if (!found) throw new ApiProblem('symbol_unknown', { field: 'match_id' })
    return found
  }
  function hours(symbol: string): TradingHours {
    const calendar = known.calendars.get(instrument(symbol).group)?.at(-1)?.calendar
    const [halt, now] = [known.halts.get(symbol)?.find(({ ended_at }) => ended_at === null), clock.now()]
    return { open: !halt && isOpenAt(calendar, now), halt, next: nextChange(calendar, now) }
  }
  return {
    terms<P extends TradeProduct>(product: P, symbol: string) {
      const found = terms.get(keyOf(product, symbol))
      if (!found) throw new ApiProblem('symbol_unknown', { field: 'match_id' })
      return found as StoredTerms<P> & { terms: TermsByProduct[P] }
    },
    symbols: (product) =>
      [...terms.values()]
        .filter((row) => row.product === product)
        .map((row) => instrument(row.symbol))
        .sort((a, b) => a.position - b.position)
        .map(({ symbol }) => symbol),
    instrument,
    hours,
    wasOpen: (symbol, at) => wasOpenBy(known, symbol, at),
    async wasOpenIn(tx, since) {
      const committed = inForceOf(await store.inForceFrom(tx, since))
      return (symbol, at) => wasOpenBy(committed, symbol, at)
    },
    readAt: () => readAt,
    listen(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    mustBeOpen(symbol) {
      const { open, halt } = hours(symbol)
      if (halt) throw new ApiProblem('market_halted')
      if (!open) throw new ApiProblem('market_closed')
    },
    freshPrice(symbol) {
      const [price, age] = [reads.lastPrice(symbol), reads.quoteAge(symbol)]
      if (!price || age === undefined || age > priceAgeMsMax) throw new ApiProblem('price_stale')
      return price
    },
    async changed() {
      // First, so that the others hear of it whatever happens to the read of this node.
      bus.publish(changedTopic, {})
      await reload()
    },
    jobs: [{ name: 'trading_terms', everyMs: loadEveryMs, work: load }],
    stop: off,
  }
}
