import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Ledger } from '#api-server/ledger/ledger.ts'
import { accountText } from '#contract/accounts.ts'
import { amountText } from '#contract/fields.ts'
import { parseAmount, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'

const input = z.object({
  user: z.string().min(1).max(254).describe('uid, e-mail address or mobile number'),
  account: accountText.default('change'),
  currency: z.string().min(1).max(20).describe('code or id'),
  amount: amountText,
})

interface CreditDeps {
  database: Database
  ledger: Ledger
  clock: Clock
  /** Finds the uid of a customer by login name. */
  findUser: (login: string) => Promise<number | undefined>
  /** Called after the credit is committed. */
  moved?: (uid: number) => void
}

/** POST /test/credit {user, account, currency, amount}: credits money from outside without a review. Test hook. */
export function creditHook({ database, ledger, clock, findUser, moved }: CreditDeps): TestHook {
  async function credit({ user, account, currency: name, amount: text }: z.output<typeof input>) {
    const uid = /^\d{6,15}$/.test(user) ? Number(user) : await findUser(user)
    if (uid === undefined) throw new ApiProblem('parameter_error', { field: 'user' })
    const id = await database.transaction(async (tx) => {
      const column = /^\d+$/.test(name) ? 'id' : 'code'
      const value = column === 'id' ? Number(name) : name.toUpperCase()
      const currency = await tx.selectFrom('currency').select(['id', 'scale']).where(column, '=', value).executeTakeFirst()
      if (!currency) throw new ApiProblem('currency_unknown')
      const parsed = parseAmount(text, currency.scale)
      if (!parsed?.gt(0)) throw new ApiProblem('amount_wrong')
      const amount = plain(parsed)
      return ledger.post(tx, {
        kind: 'credit',
        source: `test:${randomUUID()}`,
        uid,
        at: clock.now(),
        postings: [
          { account: { platform: 'external_in' }, currency: currency.id, amount: `-${amount}` },
          { account: { uid, kind: account, part: 'available' }, currency: currency.id, amount },
        ],
      })
    })
    moved?.(uid)
    return { id, uid }
  }
  return {
    row: {
      method: 'POST',
      path: '/test/credit',
      auth: 'none',
      input,
      problems: ['currency_unknown', 'amount_wrong'],
      output: z.object({ id: z.int(), uid: z.int() }),
      summary: 'Credits an account',
    },
    handler: (asked) => credit(asked as z.output<typeof input>),
  }
}
