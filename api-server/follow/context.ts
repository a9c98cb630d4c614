import type { Proofs } from '#api-server/account/proof.ts'
import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { FollowStore } from '#api-server/follow/follow.store.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { LeverCopies } from '#api-server/lever/copies.ts'
import type { MarketReads } from '#api-server/market/market.reads.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

/** What copy trading stands on. */
export interface FollowContext {
  database: Database
  store: FollowStore
  once: Idempotency
  copies: LeverCopies
  proofs: Pick<Proofs, 'standing' | 'lock'>
  notices: Notices
  coins: CurrencyReads
  reads: Pick<MarketReads, 'lastPrice'>
  clock: Clock
  log: Log
  /** Words of the file of copies. */
  texts: Texts
  /** @throws ApiProblem while no money may move */
  admit: () => void
  /** Something of the customer's lists has changed; called after the commit. */
  rowChanged: (uid: number, topic: TopicName) => void
  /** Something waits at the back office, or waits no longer. */
  queueChanged: () => void
}

/** All products are quoted in one coin. */
export const quoteCode = 'USDT'

/** @throws ApiProblem('currency_unknown') */
export async function quoteCoin({ coins }: Pick<FollowContext, 'coins'>) {
  const found = (await coins.list()).find(({ code }) => code === quoteCode)
  if (!found) throw new ApiProblem('currency_unknown')
  return found
}
