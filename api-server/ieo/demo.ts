import type { IeoContext } from '#api-server/ieo/context.ts'
import { ieoHandlers } from '#api-server/ieo/ieo.handlers.ts'
import { allocationOf, dayMs, hashOf, projectState } from '#api-server/ieo/ieo.rules.ts'
import type { OpenProposals } from '#api-server/kit/proposals.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import { exact, sum } from '#contract/money.ts'
import { timeText } from '#contract/rules/term.rules.ts'
import { takeTurnIn } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/**
 * Two programs that keep sales of tokens which do not exist, for demonstrations: one to come, one in progress, and a short first one in which the
 * demo account takes part, so that it has a history. One proposes, the other agrees; their names say so.
 */
const proposer: Operator = { id: -21, name: 'New tokens (demo)', roles: ['administrator'], fresh: true }
export const agreer: Operator = { ...proposer, id: -22, name: 'New tokens review (demo)' }

export const demoTimes = { passEveryMs: 5_000 } as const
const hourMs = 3_600_000
const minuteMs = 60_000

/** Times are ms from the moment of the proposal, and shortened to minutes. */
const lines = [
  {
    token: 'LYRA',
    token_name: 'Lyra',
    issue_price: '0.02',
    issue_total: '300000',
    issue_least: '1000',
    issue_limit: '100000',
    pay_coins: 'USDT',
    lock_days: '3',
    releases: '3',
    risk: '4',
    starts: -minuteMs,
    ends: 2 * minuteMs,
    lists: 2 * minuteMs,
  },
  {
    token: 'NOVA',
    token_name: 'Nova',
    issue_price: '0.05',
    issue_total: '1000000',
    issue_least: '100',
    issue_limit: '400000',
    pay_coins: 'USDT,BTC,ETH',
    lock_days: '30',
    releases: '3',
    risk: '4',
    starts: -minuteMs,
    ends: 3 * dayMs,
    lists: 4 * dayMs,
  },
  {
    token: 'ORBT',
    token_name: 'Orbit',
    issue_price: '0.8',
    issue_total: '250000',
    issue_least: '10',
    issue_limit: '20000',
    ...{
      pay_coins: 'USDT,ETH',
      lock_days: '60',
      releases: '1',
      risk: '5',
      starts: 2 * dayMs,
      ends: 5 * dayMs,
      lists: 5 * dayMs + 6 * hourMs,
    },
  },
] as const
/** The application of the demo account in the first sale: twice what it can get. */
const first = { token: 'LYRA', amount: '200000' } as const

/** @param decides terms and allocations, as operators decide about them */
export function createDemo(
  context: IeoContext,
  {
    terms,
    allocation,
  }: { terms: OpenTerms; allocation: OpenProposals<{ hash: string; customers: number; applied: string; passes: string }> },
) {
  const { database, store, clock } = context
  const handlers = ieoHandlers(context)

  async function propose(line: (typeof lines)[number], now: number): Promise<void> {
    const { starts, ends, lists, ...typed } = line
    const at = (later: number) => timeText(Math.ceil((now + later) / minuteMs) * minuteMs)
    await database.transaction(async (tx) => {
      // Two nodes that look at once put each project on sale once. A proposal takes the same turn.
      await takeTurnIn(database, tx, 'terms')
      const kept = await store.simulated(tx)
      if (kept.some((project) => project.token === line.token && project.stage === 'sale')) return
      const all = { ...typed, issue_step: '1', market: `${line.token}USDT`, starts_at: at(starts), ends_at: at(ends), lists_at: at(lists) }
      const { id } = await terms.propose(tx, proposer, { typed: all })
      await terms.proposals.agree(tx, agreer, id)
    })
    context.projectsChanged()
  }
  /** The demo account applies in the first sale. */
  async function apply(project: { id: number; issue_price: string; terms_version: number }): Promise<void> {
    const account = await database.db.selectFrom('account').select('id').where('demo', '=', true).orderBy('id').limit(1).executeTakeFirst()
    if (!account || (await store.position(project.id, account.id))) return
    const { id: project_id, issue_price, terms_version } = project
    const input = { project_id, amount: first.amount, pay_currency: 'USDT', price: exact(issue_price), terms_version }
    const caller = { lang: 'en', token: undefined, agent: 'demo', ip: '', user: { uid: account.id, session: '' } }
    await handlers['ieo.order'](input, caller)
  }
  /** Both programs agree to the allocation of a sale that has ended. */
  async function allocate(id: number): Promise<void> {
    const isDone = await database.transaction(async (tx) => {
      await takeTurnIn(database, tx, 'terms')
      const project = await store.lockProject(tx, id)
      if (project?.stage !== 'sale' || (await allocation.find(String(id), tx))) return false
      const rows = allocationOf(
        (await store.applications(id, tx)).map((row) => ({ ...row, amount: exact(row.amount), frozen: exact(row.frozen) })),
        project,
      )
      const passes = sum('0', ...rows.map(({ passed }) => passed))
      const after = { hash: hashOf(project, rows), customers: rows.length, applied: exact(project.applied), passes }
      const proposal = await allocation.propose(tx, proposer, { subject: String(id), after })
      await allocation.agree(tx, agreer, proposal.id)
      return true
    })
    if (isDone) await allocation.announce(String(id))
  }

  return {
    /** Ends the sale of its projects, on a server that is no demonstration: nobody allocates them there. */
    async close(): Promise<void> {
      for (const id of await store.simulatedOnSale(clock.now())) {
        await database.transaction((tx) => terms.decideSale(tx, agreer, String(id), 'end'))
        context.projectsChanged()
      }
    },
    async pass(): Promise<void> {
      const now = clock.now()
      const kept = await store.simulated()
      for (const line of lines) {
        const own = kept.filter(({ token }) => token === line.token)
        // The first sale happens once; the others begin again when they are decided.
        const isMissing = line.token === first.token ? !own.length : own.every(({ stage }) => stage !== 'sale')
        if (isMissing) await propose(line, now)
      }
      for (const project of await store.simulated()) {
        const state = projectState(project, now)
        if (state === 'in_progress' && project.token === first.token && project.customers === 0) await apply(project)
        if (state === 'ended' && project.sale === 'open') await allocate(project.id)
      }
    },
  }
}
