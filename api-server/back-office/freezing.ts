import type { Administration } from '#api-server/account/administration.ts'
import { decided, type OfficePorts, proven } from '#api-server/kit/decision.ts'
import { defineProposal } from '#api-server/kit/proposals.ts'
import type { LeverReads } from '#api-server/lever/lever.reads.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** Freezing of accounts with open positions, which two operators decide about; the subject is the number of the customer. */
export const freezeProposals = defineProposal<Administration, null>({
  kind: 'freeze',
  actions: {
    propose: 'customer.freeze_first',
    agree: 'customer.freeze',
    withdraw: 'customer.freeze_drop',
    refuse: 'customer.freeze_drop',
    overtake: 'customer.freeze',
  },
  subject: (uid) => `customer:${uid}`,
  read: () => null,
  async now(accounts, uid, tx) {
    if (tx) await accounts.lock(tx, Number(uid))
    return { version: 0, terms: undefined }
  },
  changes: () => [{ name: 'status', value: 'frozen', shown: 'frozen', before: 'active' }],
  async apply(accounts, decision, { subject }) {
    await accounts.freeze(decision, Number(subject), true)
    return []
  },
})

export function createFreezing(office: OfficePorts, accounts: Administration, exposure: Pick<LeverReads, 'openOf'>) {
  const kind = freezeProposals.open(office, accounts)
  return {
    /** Names of the operators who asked, by the number of the customer, as text. */
    async asked(tx?: Tx): Promise<ReadonlyMap<string, string>> {
      const all = (tx ?? office.database.db).selectFrom('office_proposal').select(['subject', 'operator'])
      const rows = await all.where('kind', '=', 'freeze').where('state', '=', 'open').execute()
      return new Map(rows.map(({ subject, operator }) => [subject, operator]))
    },
    /**
     * Freezes or releases an account. Where positions are open the first operator only asks, and another one freezes; releasing takes back what an
     * operator asked.
     * @throws ApiProblem not_found, state_wrong when it is so already, own_decision for the operator who asked, fresh_login_required
     */
    async decide(tx: Tx, operator: Operator, { uid, frozen, reason }: { uid: number; frozen: boolean; reason: string }): Promise<void> {
      proven(operator)
      const [isFrozen, subject] = [(await accounts.lock(tx, uid)) === 'frozen', String(uid)]
      const asked = await kind.find(subject, tx)
      if (!frozen && !isFrozen && asked !== undefined) return void (await kind.drop(tx, operator, asked, reason))
      if (frozen === isFrozen) throw new ApiProblem('state_wrong')
      if (frozen && (await exposure.openOf(uid, tx)) > 0)
        return void (await (asked === undefined
          ? kind.propose(tx, operator, { subject, after: null, detail: reason })
          : kind.agree(tx, operator, asked, reason)))
      await decided(office, tx, operator, async (decision) => {
        if (frozen) await kind.overtake(decision, subject)
        await accounts.freeze(decision, uid, frozen)
        const note = { action: frozen ? 'customer.freeze' : 'customer.free', subject: `customer:${uid}`, detail: reason } as const
        return { answer: undefined, notes: [note] }
      })
    },
  }
}
