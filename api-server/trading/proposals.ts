import type { TradingProposal, TradingStore, TradingSubject } from '#api-server/trading/trading.store.ts'
import type { TermChange } from '#api-server/trading/typed.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isUniqueViolation, type Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

/** How a change is proposed, agreed to and ended, whatever it is about: terms of a symbol, or trading hours of a group. */

interface ShownProposal {
  id: number
  by: string
  time: number
  changes: TermChange[]
  own: boolean
  may_agree: boolean
}
interface ShownVersion extends TermChange {
  key: string
  version: number
  by: string
  time: number
}
/** Returns the text of a change for the audit log. */
export const detailOf = (changes: readonly TermChange[]) =>
  changes.map(({ name, shown, before }) => `${name} ${before || '–'} → ${shown || '–'}`).join('; ')

export const shownProposal = (row: TradingProposal, changes: TermChange[], { id, roles }: Operator): ShownProposal => ({
  id: row.id,
  by: row.operator,
  time: row.at,
  changes,
  own: row.operator_id === id,
  may_agree: row.operator_id !== id && roles.includes('administrator'),
})

/** Returns the changes of each version; the first one has one row without a name. @param history newest first */
export function shownVersions<T extends { version: number; changed_by: string; at: number }>(
  history: readonly T[],
  changesOf: (before: T, after: T) => TermChange[],
): ShownVersion[] {
  return history.flatMap((row, place) => {
    const about = { version: row.version, by: row.changed_by, time: row.at }
    const before = history[place + 1]
    if (!before) return [{ key: String(row.version), ...about, name: '', value: '', shown: '', before: '' }]
    return changesOf(before, row).map((change) => ({ key: `${row.version} ${change.name}`, ...about, ...change }))
  })
}

export function createProposals(store: TradingStore) {
  return {
    /** @throws ApiProblem('state_wrong') when nothing is different, or another change waits */
    async add(
      tx: Tx,
      about: TradingSubject,
      { version, terms, changes }: { version: number; terms: object | null; changes: readonly TermChange[] },
      by: Operator,
      at: number,
    ): Promise<void> {
      if (!changes.length || (await store.proposal(about, tx))) throw new ApiProblem('state_wrong')
      const row = { version, terms, operator_id: by.id, operator: by.name, at }
      // Another one may have come since the look.
      await store.propose(tx, about, row).catch((error: unknown) => {
        throw isUniqueViolation(error) ? new ApiProblem('state_wrong', { cause: error }) : error
      })
    },
    /** An open proposal, locked. @throws ApiProblem('state_wrong') */
    async open(tx: Tx, id: number): Promise<TradingProposal> {
      const row = await store.proposalById(tx, id)
      if (!row) throw new ApiProblem('state_wrong')
      return row
    },
    /** @param version the one that counts now @returns who answers for the new one @throws ApiProblem('state_wrong' | 'own_decision') */
    async agree(tx: Tx, row: TradingProposal, version: number, by: Operator, at: number): Promise<string> {
      if (row.version !== version) throw new ApiProblem('state_wrong')
      if (row.operator_id === by.id) throw new ApiProblem('own_decision')
      await store.endProposal(tx, row.id, 'agreed', by.name, at)
      return `${row.operator}, ${by.name}`
    },
    /** @returns whether who ends it has proposed it */
    async drop(tx: Tx, row: TradingProposal, by: Operator, at: number): Promise<boolean> {
      const own = row.operator_id === by.id
      await store.endProposal(tx, row.id, own ? 'withdrawn' : 'refused', by.name, at)
      return own
    },
  }
}
