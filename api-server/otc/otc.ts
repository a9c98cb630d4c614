import type { Registry } from 'prom-client'
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
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

export type OtcDeps = Omit<OtcContext, 'store' | 'announce'> & {
  office: OfficePorts
  /** Balances of a customer have changed; called after the commit. */
  changed: (uid: number) => void
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
  /** Something waits at the back office, or waits no longer. */
  queueChanged: () => void
  log: Log
  registry?: Registry | undefined
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
  start(): Promise<void>
  stop(): Promise<void>
}

export function createOtc({ changed, rowChanged, queueChanged, log, registry, desk: demo, office, ...deps }: OtcDeps): Otc {
  const context: OtcContext = {
    ...deps,
    store: createOtcStore(deps.database),
    announce(order, change) {
      changed(order.uid)
      queueChanged()
      const row = coinsOf(context).then((coins) => orderRow(coins, order))
      tellRow({ rowChanged }, { uid: order.uid, topic: 'otc_orders', change }, row)
    },
  }
  const offers = createOffers(context, office)
  const desk = createDesk(context, offers)
  let job: RepeatedJob | undefined
  return {
    handlers: otcHandlers(context),
    queues: [otcQueue.open(office, context)],
    offers,
    desk: desk.pass,
    async start(): Promise<void> {
      if (!demo) return desk.close()
      job = every(deskTimes.passEveryMs, { name: 'demo_desk', work: desk.pass, log, registry })
      // So that the first visitor finds offers.
      void job.run()
    },
    stop: async () => job?.stop(),
  }
}
