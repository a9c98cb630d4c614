import Big from 'big.js'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { OfficeHandlers } from '#api-server/kit/decision.ts'
import { defineModule, type ProductPorts } from '#api-server/kit/module.ts'
import type { MiningContext } from '#api-server/mining/booking.ts'
import { createDemo } from '#api-server/mining/demo.ts'
import { miningEarning } from '#api-server/mining/earning.ts'
import { miningChecks } from '#api-server/mining/mining.checks.ts'
import { miningHandlers, orderRow } from '#api-server/mining/mining.handlers.ts'
import { miningMigrations } from '#api-server/mining/mining.migration.ts'
import { dayMs } from '#api-server/mining/mining.rules.ts'
import { createMiningStore } from '#api-server/mining/mining.store.ts'
import { miningTerms, openTerms } from '#api-server/mining/mining.terms.ts'
import { createPaying } from '#api-server/mining/paying.ts'
import type { backOfficeMiningCalls } from '#contract/calls/earning/mining.calls.ts'
import { exact, plain } from '#contract/money.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/** So many days of what is owed are shown. */
const shownDays = 31

/** Amounts owed by day and coin, and the pool that covers them. */
function owedHandlers({ store, balances, coins, clock }: MiningContext): Handlers<typeof backOfficeMiningCalls> {
  return {
    'office.miningOwed': async () => {
      const rows = await store.owed(Math.floor(clock.now() / dayMs) + shownDays)
      const [inAll, pool] = [await store.owedInAll(), await balances.platform('pool_mining')]
      const codes = new Map((await coins.list()).map(({ id, code }) => [id, code]))
      const [held, owed] = [
        new Map(pool.map(({ currency, balance }) => [currency, balance])),
        new Map(inAll.map((row) => [row.currency, row])),
      ]
      return {
        days: rows.map(({ day: number, currency, payments, income, principal }) => {
          const day = new Date(number * dayMs).toISOString().slice(0, 10)
          const currency_code = codes.get(currency)!
          return { key: `${day} ${currency_code}`, day, currency_code, payments, income: exact(income), principal: exact(principal) }
        }),
        coins: [...new Set([...held.keys(), ...owed.keys()])].map((currency) => {
          const { income = '0', principal = '0' } = owed.get(currency) ?? {}
          const has = held.get(currency) ?? '0'
          const lacks = new Big(income).plus(principal).minus(has)
          return {
            currency_code: codes.get(currency)!,
            income: exact(income),
            principal: exact(principal),
            pool: exact(has),
            lacks: lacks.gt(0) ? plain(lacks) : '0',
          }
        }),
      }
    },
  }
}

/** Locked mining as it runs on one node. */
function createMining(ports: ProductPorts) {
  const context: MiningContext = {
    ...ports,
    store: createMiningStore(ports.database),
    productsChanged: () => ports.rowChanged('all', 'mining_products'),
    told(order, change) {
      const { uid } = order
      ports.changed(uid)
      const row = ports.coins.one(order.currency_id).then((currency) => orderRow(order, currency, ports.clock.now()))
      tellRow(ports, { uid, topic: 'mining_orders', change }, row)
    },
  }
  const jobs = createPaying(context)
  const terms = openTerms(context)
  const demo = createDemo(context, terms)
  return {
    handlers: miningHandlers(context),
    terms: [terms] as const,
    officeHandlers: owedHandlers(context) as OfficeHandlers,
    earning: miningEarning(context),
    /** Reminds, pays and renews what is due, once. @returns how many rows were done, here or by another node */
    async pay(): Promise<number> {
      let done = 0
      for (const job of jobs) done += await job.pass()
      return done
    },
    async start(): Promise<void> {
      await (ports.demonstration ? demo.fill() : demo.close())
      for (const job of jobs) job.start(ports.registry)
    },
    async stop(): Promise<void> {
      for (const job of jobs) await job.stop()
    },
    /** Puts the products of the demonstration on sale. */
    demo: demo.fill,
  }
}

export const mining = defineModule('mining', {
  migrations: miningMigrations,
  checks: miningChecks,
  terms: [miningTerms],
  make: createMining,
})
