import * as z from 'zod'
import { quoteCode } from '#api-server/currency/currency.reads.ts'
import { allocationProposals, createAllocation } from '#api-server/ieo/allocation.ts'
import { type IeoContext, projectRow } from '#api-server/ieo/context.ts'
import { agreer, createDemo, demoTimes } from '#api-server/ieo/demo.ts'
import { ieoChecks, ieoHolds } from '#api-server/ieo/ieo.checks.ts'
import { ieoHandlers } from '#api-server/ieo/ieo.handlers.ts'
import { ieoMigrations } from '#api-server/ieo/ieo.migration.ts'
import { dayMs, ieoSaleMachine, type ProjectTerms, payCodes, projectState, wrongTerm } from '#api-server/ieo/ieo.rules.ts'
import { addToken, coinByCode, createIeoStore, nextProject } from '#api-server/ieo/ieo.store.ts'
import { createUnlocking } from '#api-server/ieo/unlock.ts'
import type { OfficeHandlers } from '#api-server/kit/decision.ts'
import { defineModule, type ProductPorts } from '#api-server/kit/module.ts'
import type { OpenProposals } from '#api-server/kit/proposals.ts'
import { defineTerms } from '#api-server/kit/terms.ts'
import { type backOfficeIeoCalls, type IeoState, ieoMost } from '#contract/calls/ieo.calls.ts'
import { saleSteps, type TermState } from '#contract/calls/office.terms.calls.ts'
import { exact, isLess, less, parseAmount, product, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'

const tokens = z.int().positive().max(1_000_000_000_000)

/**
 * Coins of terms: tokens are sold for the quote coin, at a price that its decimals can say for each step, and paid in coins that have one.
 * @throws ApiProblem('parameter_error') with the member that does not fit
 */
async function coinsFor(tx: Tx, { token, issue_price, issue_step, pay_coins }: ProjectTerms) {
  const quote = await coinByCode(tx, quoteCode)
  if (!quote || token === quote.code) throw new ApiProblem('parameter_error', { field: 'token' })
  if (!parseAmount(product(issue_price, String(issue_step)), quote.scale)) throw new ApiProblem('parameter_error', { field: 'issue_price' })
  const codes = payCodes(pay_coins)
  if (codes.length > ieoMost.coins) throw new ApiProblem('parameter_error', { field: 'pay_coins' })
  for (const code of codes) if (!(await coinByCode(tx, code))) throw new ApiProblem('parameter_error', { field: 'pay_coins' })
  return { quote, token: await coinByCode(tx, token) }
}

/** Terms of sales; the key is the number of the project. */
const ieoTerms = defineTerms<ProjectTerms>({
  product: 'ieo',
  schema: z.object({
    token: z.string().max(10),
    token_name: z.string().max(40),
    issue_price: z.string(),
    issue_total: tokens,
    issue_step: tokens,
    issue_least: tokens,
    issue_limit: tokens,
    pay_coins: z.string().max(100),
    starts_at: z.int().positive(),
    ends_at: z.int().positive(),
    lists_at: z.int().positive(),
    market: z.string().max(20),
    lock_days: z.int().min(0).max(3_650),
    releases: z.int().positive().max(ieoMost.releases),
    risk: z.int().min(1).max(5),
  }),
  fields: {
    token: { kind: 'text', fixed: true, named: true, hint: true },
    token_name: { kind: 'text', named: true },
    issue_price: { kind: 'decimal', unit: quoteCode },
    issue_total: { kind: 'whole', most: '1000000000000', unit: '@token' },
    issue_step: { kind: 'whole', most: '1000000000000', unit: '@token', usual: '1' },
    issue_least: { kind: 'whole', most: '1000000000000', unit: '@token' },
    issue_limit: { kind: 'whole', most: '1000000000000', unit: '@token', hint: true },
    pay_coins: { kind: 'text', hint: true, usual: quoteCode },
    starts_at: { kind: 'time', hint: true },
    ends_at: { kind: 'time', named: true },
    lists_at: { kind: 'time', hint: true },
    market: { kind: 'text', hint: true },
    lock_days: { kind: 'whole', least: '0', most: '3650', hint: true },
    releases: { kind: 'whole', most: String(ieoMost.releases), usual: '1', hint: true },
    risk: { kind: 'whole', most: '5', hint: true },
  },
  check: wrongTerm,
  fits: coinsFor,
  newKey: async (tx) => String(await nextProject(tx)),
  sale: 'ieo_project',
})

const termStates: Record<IeoState, TermState> = {
  warm_up: 'soon',
  in_progress: 'on_sale',
  paused: 'paused',
  ended: 'ended',
  allocated: 'ended',
  unlocked: 'ended',
}

function openTerms({ office, store, clock, projectsChanged }: IeoContext) {
  const numberOf = (key: string) => (/^\d{1,9}$/.test(key) ? Number(key) : 0)
  return ieoTerms.open(office, {
    units: ({ token }) => ({ token }),
    async agreed(decision, { key, version, terms }) {
      const { token: code, token_name: name, ...rest } = terms
      const { quote, token } = await coinsFor(decision.tx, terms)
      const token_id = token?.id ?? (await addToken(decision, code, name, quote.code))
      const amounts = {
        issue_total: String(rest.issue_total),
        issue_step: String(rest.issue_step),
        issue_least: String(rest.issue_least),
        issue_limit: String(rest.issue_limit),
      }
      const row = { ...rest, ...amounts, name, token_id, quote_id: quote.id, unlocks_at: rest.lists_at + rest.lock_days * dayMs }
      if (version > 1) return store.revise(decision, Number(key), { ...row, terms_version: version })
      // The demonstration's own projects are marked as simulated.
      return store.create(decision, { ...row, terms_version: version, id: Number(key), simulated: decision.operator.id === agreer.id })
    },
    announce: projectsChanged,
    sale: {
      async shown(keys) {
        const now = clock.now()
        const found = await store.byIds(keys.map(numberOf))
        return new Map(
          found.map((project) => {
            const { id, applied, issue_total, sale, sale_by: by, stage } = project
            const steps = stage === 'sale' ? saleSteps.filter((step) => ieoSaleMachine.next(sale, step)) : []
            const facts = [{ name: 'applied', shown: `${exact(applied)} / ${exact(issue_total)}` }]
            return [String(id), { state: termStates[projectState(project, now)], steps, by, facts }]
          }),
        )
      },
      async decide(decision, key, step) {
        const project = await store.project(numberOf(key), decision.tx)
        if (!project) throw new ApiProblem('not_found', { field: 'key' })
        const sale = ieoSaleMachine.next(project.sale, step)
        if (!sale || !(await store.decideSale(decision, project, sale))) throw new ApiProblem('state_wrong')
        return `${project.token} ${exact(project.issue_price)}, ends ${new Date(project.ends_at).toISOString().slice(0, 16)}`
      },
    },
  })
}

/** Projects, and the tokens that are owed with the escrow account that covers them. */
function listHandlers(context: IeoContext): Pick<Handlers<typeof backOfficeIeoCalls>, 'office.ieoProjects' | 'office.ieoOwed'> {
  const { store, balances } = context
  return {
    'office.ieoProjects': async (page) => {
      const { rows, total } = await store.newest(page)
      return { list: rows.map((row) => projectRow(context, row)), total }
    },
    'office.ieoOwed': async () => {
      const [rows, escrow] = [await store.owed(), await balances.platform('escrow_ieo')]
      const held = new Map(escrow.map(({ currency, balance }) => [currency, balance]))
      return {
        days: rows.map(({ day: number, code, orders, amount }) => {
          const day = new Date(number * dayMs).toISOString().slice(0, 10)
          return { key: `${day} ${code}`, day, currency_code: code, orders, amount: exact(amount) }
        }),
        coins: [...new Map(rows.map(({ currency, code }) => [currency, code]))].map(([currency, code]) => {
          const owed = sum(...rows.flatMap((row) => (row.currency === currency ? [row.amount] : [])))
          const has = exact(held.get(currency) ?? '0')
          return { currency_code: code, owed, escrow: has, lacks: isLess(has, owed) ? less(owed, has) : '0' }
        }),
      }
    },
  }
}

/** Sales of new tokens as they run on one node. */
function createIeo(ports: ProductPorts) {
  const context: IeoContext = {
    ...ports,
    store: createIeoStore(ports.database),
    projectsChanged: () => ports.rowChanged('all', 'ieo_projects'),
  }
  const unlocking = createUnlocking(context)
  const terms = openTerms(context)
  const allocation = createAllocation(context, ports.office)
  const demo = createDemo(context, { terms, allocation: allocation.proposals })
  return {
    handlers: ieoHandlers(context),
    terms: [terms] as const,
    proposals: [allocation.proposals as OpenProposals<never>] as const,
    officeHandlers: { ...(listHandlers(context) as OfficeHandlers), ...allocation.handlers },
    counts: unlocking.counts,
    /** Releases what is due, once. @returns how many projects need no other pass */
    unlock: async () => {
      await unlocking.releases.pass()
      return unlocking.job.pass()
    },
    /** The program of the demonstration looks at what is on sale. */
    demo: demo.pass,
    jobs: ports.demonstration ? [{ name: 'ieo_demo', everyMs: demoTimes.passEveryMs, work: demo.pass, atStart: true }] : [],
    async start(): Promise<void> {
      unlocking.job.start(ports.registry)
      if (!ports.demonstration) await demo.close()
    },
    stop: unlocking.job.stop,
  }
}

export const ieo = defineModule('ieo', {
  migrations: ieoMigrations,
  checks: [...ieoChecks, allocationProposals.check],
  holds: ieoHolds,
  terms: [ieoTerms],
  metric: ['tessera_ieo', 'Releases of new tokens that this node booked'],
  make: createIeo,
})
