import { account, type IeoContext, projectRow, tell } from '#api-server/ieo/context.ts'
import { type Allocated, allocationOf, hashOf, projectState, releaseTimes } from '#api-server/ieo/ieo.rules.ts'
import { type AppliedRow, type IeoProject, togetherMost } from '#api-server/ieo/ieo.store.ts'
import type { OfficeHandlers, OfficePorts } from '#api-server/kit/decision.ts'
import { defineProposal, type ProposedChange } from '#api-server/kit/proposals.ts'
import type { LedgerEvent, Posting } from '#api-server/ledger/ledger.ts'
import type { backOfficeIeoCalls } from '#contract/calls/ieo.calls.ts'
import type { CustomerNotice } from '#contract/calls/notice.kinds.ts'
import { exact, isLess, less, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'

/**
 * The allocation of a sale: an operator proposes what the preview shows, bound to its hash, and another one agrees. In the commit of the second one
 * each customer gets tokens or the money back, so that nothing of the sale stays frozen.
 */

interface Plan {
  hash: string
  passes: string
  rows: readonly (Allocated & Pick<AppliedRow, 'pay'>)[]
}
interface Agreed {
  hash: string
  customers: number
  applied: string
  passes: string
}

/** The plan of who gets what: as it was carried out, or as the applications say. */
async function planOf({ store }: IeoContext, project: IeoProject, tx?: Tx): Promise<Plan> {
  const applied = await store.applications(project.id, tx)
  const pays = new Map(applied.map(({ id, pay }) => [id, pay]))
  const decidedRows = (): Allocated[] =>
    applied.map((row) => {
      const [amount, frozen, passed, charged] = [row.amount, row.frozen, row.passed!, row.charged!].map(exact) as [
        string,
        string,
        string,
        string,
      ]
      return { ...row, amount, frozen, passed, charged, refunded: less(frozen, charged) }
    })
  const open = applied.map((row) => ({ ...row, amount: exact(row.amount), frozen: exact(row.frozen) }))
  const rows = project.stage === 'sale' ? allocationOf(open, project) : decidedRows()
  return {
    hash: project.hash ?? hashOf(project, rows),
    passes: sum('0', ...rows.map(({ passed }) => passed)),
    rows: rows.map((row) => ({ ...row, pay: pays.get(row.id)! })),
  }
}

/** @throws ApiProblem('state_wrong') for a sale that lasts, or is decided */
function mustBeEnded(project: IeoProject, now: number): void {
  if (projectState(project, now) !== 'ended') throw new ApiProblem('state_wrong')
}
/** @throws ApiProblem('not_found') */
async function projectOf({ store }: IeoContext, id: number, tx?: Tx): Promise<IeoProject> {
  const found = await (tx ? store.lockProject(tx, id) : store.project(id))
  if (!found) throw new ApiProblem('not_found', { field: 'id' })
  return found
}

/** The lines of one customer: tokens are paid for, and the rest is available again. Tokens stay in the escrow account until they are released. */
function eventOf({ id, uid, pay_id: currency, frozen, charged, refunded }: Allocated, at: number): LedgerEvent {
  const postings: Posting[] = [{ account: { uid, kind: account, part: 'frozen' }, currency, amount: `-${frozen}` }]
  if (isLess('0', refunded)) postings.push({ account: { uid, kind: account, part: 'available' }, currency, amount: refunded })
  if (isLess('0', charged)) postings.push({ account: { platform: 'escrow_ieo' }, currency, amount: charged })
  return { kind: 'ieo_allocate', source: `ieo:${id}`, uid, at, postings }
}

export const allocationProposals = defineProposal<{ ieo: IeoContext }, Agreed>({
  kind: 'ieo_allocation',
  actions: 'allocation',
  subject: (id) => `ieo:${id}`,
  read: (stored) => stored as Agreed,
  now: async ({ ieo }, id, tx) => ({ version: (await projectOf(ieo, Number(id), tx)).stage === 'sale' ? 0 : 1, terms: undefined }),
  changes: (_context, _id, _before, { hash, customers, applied, passes }) =>
    Object.entries({
      allocated_customers: String(customers),
      allocated_applied: applied,
      allocated_passes: passes,
      allocated_hash: hash,
    }).map(([name, value]): ProposedChange => ({ name, value, shown: value, choice: '', before: '' })),
  async check({ ieo }, { subject, after }, tx, at) {
    const project = await projectOf(ieo, Number(subject), tx)
    mustBeEnded(project, at)
    // Other figures than those that were proposed are not agreed to.
    if ((await planOf(ieo, project, tx)).hash !== after.hash) throw new ApiProblem('terms_changed')
  },
  async apply({ ieo }, decision, { subject }) {
    const { store, ledger, notices } = ieo
    const { tx, at } = decision
    const project = await projectOf(ieo, Number(subject), tx)
    const { hash, passes, rows } = await planOf(ieo, project, tx)
    // The issuer delivers the tokens that have passed, and keeps the rest.
    if (isLess('0', passes)) {
      const currency = project.token_id
      await ledger.post(tx, {
        kind: 'ieo_supply',
        source: `ieo_project:${project.id}`,
        uid: null,
        at,
        postings: [
          { account: { platform: 'external_in' }, currency, amount: `-${passes}` },
          { account: { platform: 'escrow_ieo' }, currency, amount: passes },
        ],
      })
    }
    for (let from = 0; from < rows.length; from += togetherMost) {
      const part = rows.slice(from, from + togetherMost)
      await ledger.postAll(
        tx,
        part.map((row) => eventOf(row, at)),
      )
      const news = part.map(({ id, uid, passed, refunded, pay }): CustomerNotice => {
        const isLocked = isLess('0', passed)
        const figures = { name: project.name, amount: isLocked ? passed : refunded, coin: isLocked ? project.token : pay }
        return { uid, kind: isLocked ? 'ieo_allocated' : 'ieo_refunded', subject: id, figures }
      })
      await notices.notifyAll(tx, news)
    }
    await store.allocate(tx, rows, { first: releaseTimes(project)[0]!, at })
    await store.close(decision, project.id, { passed: passes, hash })
    return []
  },
  async announce({ ieo }, id) {
    ieo.projectsChanged()
    const { stage } = await projectOf(ieo, Number(id))
    if (stage === 'sale') return
    const ids = (await ieo.store.applications(Number(id))).map((row) => row.id)
    for (const order of await ieo.store.ordersOf(ids)) tell(ieo, order, 'update')
  },
})

export function createAllocation(context: IeoContext, office: OfficePorts) {
  const proposals = allocationProposals.open(office, { ieo: context })
  const handlers: Pick<Handlers<typeof backOfficeIeoCalls>, 'office.ieoAllocation' | 'office.ieoAllocate'> = {
    async 'office.ieoAllocation'({ id, page, size }, { operator }) {
      const project = await projectOf(context, id)
      const { hash, passes, rows } = await planOf(context, project)
      const proposal = (await proposals.shown(String(id), operator))?.shown ?? null
      const row = projectRow(context, project)
      return {
        ...row,
        digest: hash,
        passes,
        remainder: less(row.total, passes),
        may_propose: row.state === 'ended' && !proposal && operator.roles.includes('administrator'),
        proposal,
        list: rows.slice((page - 1) * size, page * size).map(({ id: order, uid, pay, amount, frozen, passed, charged, refunded }) => {
          return { id: order, uid, token: project.token, pay_currency: pay, amount, frozen, passed, charged, refunded }
        }),
        count: rows.length,
      }
    },
    async 'office.ieoAllocate'(input, caller: OperatorCaller) {
      await office.once.run(caller, { call: 'office.ieoAllocate', input }, async (tx) => {
        const project = await projectOf(context, input.id, tx)
        mustBeEnded(project, context.clock.now())
        const { hash, passes, rows } = await planOf(context, project, tx)
        if (hash !== input.digest) throw new ApiProblem('terms_changed')
        const after = { hash, customers: rows.length, applied: exact(project.applied), passes }
        return proposals.propose(tx, caller.operator, { subject: String(input.id), after })
      })
      context.projectsChanged()
      office.queueChanged()
      return { id: input.id }
    },
  }
  return { proposals, handlers: handlers as OfficeHandlers }
}
