import { amountOf, codesOf, mustBeOpen, type WalletContext } from '#api-server/wallet/context.ts'
import type { AccountKind } from '#contract/accounts.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers, UserCaller } from '#server-kit/http/http.ts'

type Calls = Pick<typeof walletCalls, 'wallet.transfer' | 'user.Transfer' | 'wallet.hzhistory'>
interface Asked {
  amount: string
  currency_id: number
  from: AccountKind
  to: AccountKind
}

/** Handlers of transfers between accounts of one customer: one commit, no fee. */
export function transferHandlers(context: WalletContext): Handlers<Calls> {
  const { ledger, once, moves, clock, changed, coins, proofs } = context

  async function transfer(call: string, asked: Asked, field: string, caller: UserCaller) {
    const { uid } = caller.user
    const { from, to, currency_id } = asked
    const coin = await coins.one(currency_id)
    if (from === to) throw new ApiProblem('accounts_same', { field: 'to' })
    const amount = amountOf(asked.amount, coin, field)
    const done = await once.run(caller, { call, input: { ...asked, amount } }, async (tx) => {
      if ((await proofs.standing(uid, tx)).status === 'frozen') throw new ApiProblem('account_frozen')
      mustBeOpen(coin)
      const time = clock.now()
      const row = { uid, currency_id, from_kind: from, to_kind: to, amount, created_at: time }
      const id = await moves.transfer(tx, row)
      await ledger.post(tx, {
        kind: 'transfer',
        source: `transfer:${id}`,
        uid,
        at: time,
        postings: [
          { account: { uid, kind: from, part: 'available' }, currency: currency_id, amount: `-${amount}` },
          { account: { uid, kind: to, part: 'available' }, currency: currency_id, amount },
        ],
      })
      return { id, amount, from, to, time }
    })
    changed(uid)
    return done
  }

  return {
    'wallet.transfer': (input, caller) => transfer('wallet.transfer', input, 'amount', caller),
    'user.Transfer': ({ number, ...input }, caller) => transfer('user.Transfer', { ...input, amount: number }, 'number', caller),
    'wallet.hzhistory': async ({ page, size, currency_id }, { user }) => {
      const { rows, total } = await moves.transfers(user.uid, currency_id, { page, size })
      const codes = await codesOf(coins)
      return {
        total,
        list: rows.map((row) => ({
          id: row.id,
          currency_id: row.currency_id,
          currency_code: codes(row.currency_id),
          from: row.from_kind,
          to: row.to_kind,
          amount: row.amount,
          time: row.created_at,
        })),
      }
    },
  }
}
