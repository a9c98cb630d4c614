import { tellRow } from '#api-server/kit/changed-row.ts'
import { release } from '#api-server/ledger/ledger.ts'
import { codesOf, fundingAccount, type WalletContext } from '#api-server/wallet/context.ts'
import { fundingMachines } from '#api-server/wallet/deposit/funding.rules.ts'
import type { Funding } from '#api-server/wallet/deposit/funding.store.ts'
import type { fundingCalls } from '#contract/calls/funding.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'

/** A deposit or withdrawal as its owner sees it. */
export const recordOf = (row: Funding, code: string) => ({
  id: row.id,
  type: row.type,
  currency_id: row.currency_id,
  currency_code: code,
  channel: row.channel,
  chain: row.chain,
  to: row.target,
  tag: row.tag,
  amount: exact(row.amount),
  fee: exact(row.fee),
  received: exact(row.received),
  status: row.status,
  reason: row.reason,
  reference: row.reference,
  can_cancel: fundingMachines[row.type].next(row.status, 'cancel') !== undefined,
  created: row.created_at,
  changed: row.changed_at,
})

/** Notifies the owner's connections of a new or changed record. Call it after the commit. Never throws. */
export function tellRecord(
  context: Pick<WalletContext, 'funding' | 'coins' | 'rowChanged' | 'log'>,
  id: number,
  uid: number,
  change: 'insert' | 'update',
): void {
  async function read() {
    // A call repeated with its key returns the first answer, so the current row is read.
    const row = await context.funding.one(id)
    return row && recordOf(row, (await codesOf(context.coins))(row.currency_id))
  }
  tellRow(context, { uid, topic: 'records', change }, read())
}

/** Handlers of the records of deposits and withdrawals, and of cancelling a withdrawal. */
export function fundingHandlers(context: WalletContext): Handlers<Pick<typeof fundingCalls, 'wallet.getRecord' | 'wallet.cancelWithdraw'>> {
  const { funding, coins, once, ledger, clock, proofs, changed, queueChanged } = context
  return {
    'wallet.getRecord': async ({ page, size, id, type, currency_id }, { user }) => {
      const { rows, total } = await funding.find({ id, type, uids: [user.uid], currency: currency_id }, { page, size })
      const codes = await codesOf(coins)
      return { total, list: rows.map((row) => recordOf(row, codes(row.currency_id))) }
    },
    'wallet.cancelWithdraw': async (input, caller) => {
      const { uid } = caller.user
      const codes = await codesOf(coins)
      const done = await once.run(caller, { call: 'wallet.cancelWithdraw', input }, async (tx) => {
        // A frozen account may take its own money back.
        await proofs.lock(tx, uid, true)
        const row = await funding.lock(tx, input.id)
        if (row?.uid !== uid || row.type !== 'withdraw') throw new ApiProblem('not_found', { field: 'id' })
        const status = fundingMachines.withdraw.next(row.status, 'cancel')
        if (!status) throw new ApiProblem('state_wrong')
        const at = clock.now()
        const after = await funding.move({ tx, at, by: 'customer' }, row, { status }, '')
        await ledger.post(tx, {
          kind: 'withdraw_cancel',
          source: `withdraw:${row.id}`,
          uid,
          at,
          postings: release(uid, fundingAccount, row.currency_id, exact(row.amount)),
        })
        return recordOf(after, codes(row.currency_id))
      })
      changed(uid)
      tellRecord(context, done.id, uid, 'update')
      queueChanged()
      return done
    },
  }
}
