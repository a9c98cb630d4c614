import type { Proofs } from '#api-server/account/proof.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { Close, LeverStore, Position } from '#api-server/lever/lever.store.ts'
import type { Tick } from '#api-server/lever/triggers/trigger.rules.ts'
import type { MarketInstrument, MarketReads, PriceRead } from '#api-server/market/market.reads.ts'
import type { MicReads } from '#api-server/mic/mic.reads.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

/** The services that contract trading needs. */
export interface LeverContext
  extends Pick<
    ProductPorts,
    'database' | 'ledger' | 'once' | 'balances' | 'notices' | 'coins' | 'trading' | 'clock' | 'bus' | 'log' | 'changed' | 'rowChanged'
  > {
  store: LeverStore
  proofs: Pick<Proofs, 'standings'>
  reads: Pick<
    MarketReads,
    'instrument' | 'lastPrice' | 'quoteAge' | 'durable' | 'logged' | 'tickAtOrBefore' | 'logEndAfter' | 'ticksAfter' | 'proven'
  >
  /** Results of seconds options, which the calendar of profits shows too. */
  options: Pick<MicReads, 'days'>
  /** Words of lever.json. */
  texts: Texts
}

/** The change of one row. */
export interface Happened {
  before: Position | undefined
  after: Position
  close?: Close | undefined
}

/** A price that an order may be filled at: a tick that stands in the log. */
export interface Quoted {
  tick: Tick
  /** The price of the tick without zeros at its end. */
  mark: string
}

export const quotedOf = (symbol: string, { tickId, price, time }: PriceRead): Quoted => ({
  tick: { id: tickId, symbol, price, time },
  mark: exact(price),
})

/** The instrument of a symbol or of its number. @throws ApiProblem('symbol_unknown') */
export function instrumentOf({ trading }: Pick<LeverContext, 'trading'>, matchId: string): MarketInstrument {
  if (!/^[1-9]\d{0,9}$/.test(matchId)) return trading.instrument(matchId)
  const symbol = trading.symbols('contract').find((one) => trading.instrument(one).match_id === Number(matchId))
  if (symbol === undefined) throw new ApiProblem('symbol_unknown', { field: 'match_id' })
  return trading.instrument(symbol)
}
