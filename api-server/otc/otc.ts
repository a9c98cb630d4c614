import { coinsOf, type OtcContext, orderRow } from '#api-server/otc/context.ts'
import { otcHandlers } from '#api-server/otc/otc.handlers.ts'
import { createOtcStore } from '#api-server/otc/otc.store.ts'
import type { OtcReviews } from '#api-server/otc/review.ts'
import { createReviews } from '#api-server/otc/reviews.ts'
import type { otcCalls } from '#contract/calls/otc.calls.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Handlers } from '#server-kit/http/http.ts'

export type OtcDeps = Omit<OtcContext, 'store' | 'told'> & {
  /** Balances of a customer have changed; called after the commit. */
  changed: (uid: number) => void
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
  /** Something waits at the back office, or waits no longer. */
  queueChanged: () => void
}

/** OTC: offers of the house at fixed prices, and orders from them that the house reviews. */
interface Otc {
  readonly handlers: Handlers<typeof otcCalls>
  /** For the back office. */
  readonly reviews: OtcReviews
}

export function createOtc({ changed, rowChanged, queueChanged, ...deps }: OtcDeps): Otc {
  const context: OtcContext = {
    ...deps,
    store: createOtcStore(deps.database),
    told(order, change) {
      changed(order.uid)
      queueChanged()
      coinsOf(context)
        .then((coins) => orderRow(coins, order))
        .then(
          (row) => rowChanged(order.uid, 'otc_orders', { change, row }),
          // Without the row the apps load the list again.
          () => rowChanged(order.uid, 'otc_orders'),
        )
    },
  }
  return { handlers: otcHandlers(context), reviews: createReviews(context) }
}
