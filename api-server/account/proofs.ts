import { sql } from 'kysely'
import { holdUntil } from '#api-server/account/account.rules.ts'
import { mask } from '#api-server/account/address/address.rules.ts'
import { customerMessage } from '#api-server/account/messages.ts'
import { ownAccount, type Parts } from '#api-server/account/parts.ts'
import type { Proofs, Standing } from '#api-server/account/proof.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Tx, writeAny } from '#server-kit/db/db.ts'

/** What other modules ask of a customer, see proof.ts. */
export function createProofs(parts: Parts): Proofs {
  const { database, store, hasher, guard, codes, factor, clock, log, post } = parts

  async function find(uid: number, tx: Tx | undefined, locked: boolean): Promise<Standing> {
    const totp = sql<boolean>`exists (select 1 from second_factor f where f.account_id = account.id and f.confirmed_at is not null)`
    const columns = ['level', 'withdraw_hold_until', 'status', 'demo', 'email', 'mobile'] as const
    const query = (tx ?? database.db)
      .selectFrom('account')
      .select([...columns, sql<boolean>`pay_password_hash is not null`.as('pays'), totp.as('totp')])
      .where('id', '=', uid)
    const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
    if (!row) throw new ApiProblem('unauthorized')
    const { level, status, demo, email, mobile } = row
    const address = email ?? mobile
    return {
      ...{ uid, level, status, demo, totp: row.totp, hasPayPassword: row.pays },
      ...{ emailBound: email !== null, mobileBound: mobile !== null },
      holdUntil: holdUntil(row.withdraw_hold_until, clock.now()),
      codeTo: address ? mask(address) : '',
      codeBy: email ? 'mail' : mobile ? 'sms' : 'none',
    }
  }

  return {
    async payPassword(caller, typed, field = 'pay_password') {
      const account = await ownAccount(parts, caller)
      if (account.pay_password_hash === null) throw new ApiProblem('pay_password_missing', { field })
      const secret = { kind: 'pay', who: String(account.id) } as const
      await guard.take(secret, caller)
      if (!(await hasher.verify(account.pay_password_hash, typed))) {
        log.warn({ event: 'proof_refused', reason: 'pay_password_wrong', uid: account.id, ip: caller.ip }, 'a pay password was wrong')
        throw new ApiProblem('pay_password_wrong', { field })
      }
      await guard.clear(secret)
    },
    async code({ user }, scene, typed, field = 'code') {
      const id = await codes.check({ scene, account: user.uid, code: typed, field })
      return { use: (tx) => codes.use(tx, id, field) }
    },
    async secondFactor(caller, typed, field = 'totp') {
      await factor.pass(caller.user.uid, typed, caller, field)
    },
    standing: (uid, tx) => find(uid, tx, false),
    async lock(tx, uid, frozenToo = false) {
      const standing = await find(uid, tx, true)
      if (standing.status !== 'active' && !frozenToo) throw new ApiProblem('account_frozen')
      return standing
    },
    raise: async (tx, uid, level) =>
      void (await writeAny(tx.updateTable('account').set({ level }).where('id', '=', uid).where('level', '<', level))),
    async tell(tx, uid, notice) {
      const account = await store.lock(tx, uid)
      await post.put(tx, customerMessage(account, notice, clock.now()))
    },
  }
}
