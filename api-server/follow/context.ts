import type { Proofs } from '#api-server/account/proof.ts'
import type { FollowStore } from '#api-server/follow/follow.store.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { LeverCopies } from '#api-server/lever/copies.ts'
import type { MarketReads } from '#api-server/market/market.reads.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

/** The services that copy trading needs. */
export interface FollowContext extends Pick<ProductPorts, 'database' | 'once' | 'notices' | 'coins' | 'clock' | 'log' | 'queueChanged'> {
  store: FollowStore
  copies: LeverCopies
  proofs: Pick<Proofs, 'standing' | 'lock'>
  reads: Pick<MarketReads, 'lastPrice'>
  /** Words of the file of copies. */
  texts: Texts
  /** @throws ApiProblem while no money may move */
  admit: () => void
  /** Something of the customer's lists has changed; called after the commit. */
  rowChanged: (uid: number, topic: TopicName) => void
}
