import type { Registry } from 'prom-client'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { MarketReads } from '#api-server/market/market.reads.ts'
import type { MicContext } from '#api-server/mic/context.ts'
import { type HandlerContext, micHandlers } from '#api-server/mic/mic.handlers.ts'
import { createMicReads, type MicReads } from '#api-server/mic/mic.reads.ts'
import { listOfState } from '#api-server/mic/mic.rules.ts'
import { createMicStore, type OptionRow } from '#api-server/mic/mic.store.ts'
import { createSettling } from '#api-server/mic/settle.ts'
import type { micCalls, OptionOrder } from '#contract/calls/mic.calls.ts'
import { exact, less } from '#contract/money.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Handlers } from '#server-kit/http/http.ts'

interface MicDeps
  extends Pick<MicContext, 'database' | 'ledger' | 'coins' | 'clock' | 'log' | 'notices'>,
    Pick<HandlerContext, 'trading' | 'balances' | 'once' | 'proofs' | 'texts'> {
  reads: Pick<MarketReads, 'durable' | 'logged' | 'proven' | 'tickAtOrBefore' | 'logEndAfter'>
  /** Balances of a customer have changed; called after the commit. */
  changed: (uid: number) => void
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
}

interface Mic {
  readonly handlers: Handlers<typeof micCalls>
  /** Reads for the rest of the server. */
  readonly reads: MicReads
  /** Returns the numbers of orders that this node has opened and settled, for the metrics. */
  counts(): Record<string, number>
  /** Settles what has expired, once. @returns how many, here or by another node */
  settle(): Promise<number>
  /** Settles what expires until it is stopped. */
  start(registry?: Registry): void
  stop(): Promise<void>
}

/** Seconds options. */
export function createMic(deps: MicDeps): Mic {
  const { database, coins, trading, changed } = deps
  const store = createMicStore(database)

  function shown(row: OptionRow, coin: Currency): OptionOrder {
    const { match_id, symbol, name, base, quote, tick } = trading.instrument(row.symbol)
    const list = listOfState(row.status)
    return {
      id: row.id,
      oid: row.oid ?? '',
      match_id,
      symbol,
      name,
      base,
      quote,
      tick,
      currency_id: coin.id,
      currency_code: coin.code,
      scale: coin.scale,
      type: row.type,
      seconds: row.seconds,
      number: exact(row.stake),
      rate: exact(row.rate),
      open_price: row.open_price,
      opened: row.opened_at,
      expires: row.due_at,
      status: row.status,
      list,
      settle_price: row.settle_price,
      settled: row.settled_at,
      booked: row.booked_at ?? row.settled_at,
      payout: exact(row.payout),
      profit: list === 'position' ? '0' : less(row.payout, row.stake),
      version: row.version,
    }
  }
  const rowOf = async (row: OptionRow): Promise<OptionOrder> => shown(row, await coins.one(row.currency_id))

  const context: MicContext = {
    ...deps,
    store,
    shown,
    rowOf,
    announce(row, change) {
      if (row.status !== 'settling') changed(row.uid)
      tellRow(deps, { uid: row.uid, topic: 'options', change }, rowOf(row))
    },
  }
  const settling = createSettling({ ...context, reads: deps.reads })
  const counts = { opened: 0 }
  return {
    handlers: micHandlers({ ...deps, ...context, opened: () => void counts.opened++ }),
    reads: createMicReads(deps),
    counts: () => ({ ...counts, ...settling.counts() }),
    settle: settling.job.pass,
    start: settling.job.start,
    stop: settling.job.stop,
  }
}
