import { agreer, createDemo, demoTimes } from '#api-server/dual/demo.ts'
import { dualChecks } from '#api-server/dual/dual.checks.ts'
import { coinsOf, type DualContext, dualHandlers, orderRow } from '#api-server/dual/dual.handlers.ts'
import { dualMigrations } from '#api-server/dual/dual.migration.ts'
import { dualOfficeHandlers, dualSaleCheck, dualTerms, openDualTerms } from '#api-server/dual/dual.office.ts'
import { createDualStore } from '#api-server/dual/dual.store.ts'
import { createSettling } from '#api-server/dual/settle.ts'
import { dualTexts } from '#api-server/file-texts.ts'
import { defineModule, type ProductPorts } from '#api-server/kit/module.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'

/** Dual investment as it runs on one node. */
function createDual({ demonstration, ...ports }: ProductPorts) {
  const context: DualContext = {
    ...ports,
    store: createDualStore(ports.database),
    productsChanged: () => ports.rowChanged('all', 'dual_products'),
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
    handlers: dualHandlers(context, dualTexts()),
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

export const dual = defineModule('dual', {
  migrations: dualMigrations,
  checks: [...dualChecks, dualTerms.check, dualSaleCheck],
  metric: ['tessera_dual', 'Dual investments that this node settled'],
  make: createDual,
})
