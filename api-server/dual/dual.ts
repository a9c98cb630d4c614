import { agreer, createDemo, demoTimes } from '#api-server/dual/demo.ts'
import { coinsOf, type DualContext, type DualPorts, dualHandlers, orderRow } from '#api-server/dual/dual.handlers.ts'
import { dualOfficeHandlers, openDualTerms } from '#api-server/dual/dual.office.ts'
import { createDualStore } from '#api-server/dual/dual.store.ts'
import { createSettling } from '#api-server/dual/settle.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

interface DualDeps extends DualPorts {
  /** Words of the file of orders. */
  texts: Texts
  /** A program keeps products on sale. */
  demonstration?: boolean
}

/** Dual investment as it runs on one node. */
export function createDual({ demonstration = false, texts, ...ports }: DualDeps) {
  const context: DualContext = {
    ...ports,
    store: createDualStore(ports.database),
    told(order, change) {
      if (order.status !== 'settling') ports.changed(order.uid)
      coinsOf(context)
        .then((coins) => orderRow(context, coins, order))
        .then(
          (row) => ports.rowChanged(order.uid, 'dual_orders', { change, row }),
          // Without the row the apps load the list again.
          () => ports.rowChanged(order.uid, 'dual_orders'),
        )
    },
  }
  const settling = createSettling(context)
  const terms = openDualTerms(context.office, context, agreer.id)
  const demo = createDemo(context, terms)
  let job: RepeatedJob | undefined
  return {
    handlers: dualHandlers(context, texts),
    terms: [terms] as const,
    officeHandlers: dualOfficeHandlers(context, terms),
    counts: settling.counts,
    /** Settles what has matured, once. @returns how many, here or by another node */
    settle: settling.job.pass,
    /** The program of the demonstration looks at what is on sale. */
    demo: demo.pass,
    async start(): Promise<void> {
      settling.job.start(ports.registry)
      if (!demonstration) return void (await demo.close())
      job = every(demoTimes.passEveryMs, { name: 'dual_demo', work: demo.pass, log: ports.log, registry: ports.registry })
      // So that the first visitor finds products.
      void job.run()
    },
    async stop(): Promise<void> {
      await job?.stop()
      await settling.job.stop()
    },
  }
}
