import { tellRow } from '#api-server/kit/changed-row.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import { coinsOf, type OtcContext, orderRow } from '#api-server/otc/context.ts'
import { createDesk, deskTimes } from '#api-server/otc/desk.ts'
import { createOffers, type Offers } from '#api-server/otc/offers.ts'
import { otcHandlers } from '#api-server/otc/otc.handlers.ts'
import { otcQueue } from '#api-server/otc/otc.queue.ts'
import { createOtcStore } from '#api-server/otc/otc.store.ts'
import type { otcCalls } from '#contract/calls/otc.calls.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

export type OtcDeps = Omit<OtcContext, 'store' | 'announce'> & {
  office: OfficePorts
  log: Log
  /** Balances of a customer have changed; called after the commit. */
  changed: (uid: number) => void
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
  /** Something waits at the back office, or waits no longer. */
  queueChanged: () => void
  /** Whether a program makes offers, for demonstrations. */
  desk?: boolean
}

/** OTC: offers of the house at fixed prices, and orders from them that the house reviews. */
interface Otc {
  readonly handlers: Handlers<typeof otcCalls>
  /** Reviews of orders at the back office. */
  readonly queues: readonly [ReturnType<typeof otcQueue.open>]
  readonly offers: Offers
  /** The program that makes offers looks at the market. */
  desk(): Promise<void>
  readonly jobs: readonly PlannedJob[]
  start(): Promise<void>
}

export function createOtc({ changed, rowChanged, queueChanged, desk: demo, office, log, ...deps }: OtcDeps): Otc {
  const context: OtcContext = {
    ...deps,
    store: createOtcStore(deps.database),
    announce(order, change) {
      changed(order.uid)
      queueChanged()
      const row = coinsOf(context).then((coins) => orderRow(coins, order))
      tellRow({ rowChanged, log }, { uid: order.uid, topic: 'otc_orders', change }, row)
    },
  }
  const offers = createOffers(context, office)
  const desk = createDesk(context, offers)
  return {
    handlers: otcHandlers(context),
    queues: [otcQueue.open(office, context)],
    offers,
    desk: desk.pass,
    // At the start too, so that the first visitor finds offers.
    jobs: demo ? [{ name: 'demo_desk', everyMs: deskTimes.passEveryMs, work: desk.pass, atStart: true }] : [],
    async start(): Promise<void> {
      if (!demo) await desk.close()
    },
  }
}
