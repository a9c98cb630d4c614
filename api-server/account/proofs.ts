import { sql } from 'kysely'
import type { AccountRow } from '#api-server/account/account.migration.ts'
import { holdUntil } from '#api-server/account/account.rules.ts'
import { mask } from '#api-server/account/address/address.rules.ts'
import { type AccountContext, ownAccount } from '#api-server/account/context.ts'
import type { Proofs, Standing } from '#api-server/account/proof.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Tx, writeAny } from '#server-kit/db/db.ts'

interface FoundProofs {
  id: number
  pays: boolean
  totp: boolean
}

/** Makes the proofs that other modules ask of a customer, see proof.ts. */
export function createProofs(context: AccountContext): Proofs {
  const { database, hasher, guesses, codes, factor, clock, log } = context

  async function findAll(uids: readonly number[], tx: Tx | undefined, locked: boolean): Promise<Map<number, Standing>> {
    const totp = sql<boolean>`exists (select 1 from second_factor f where f.account_id = account.id and f.confirmed_at is not null)`
    const columns = ['id', 'level', 'withdraw_hold_until', 'status', 'demo', 'email', 'mobile'] as const
    const query = (tx ?? database.db)
      .selectFrom('account')
      .select([...columns, sql<boolean>`pay_password_hash is not null`.as('pays'), totp.as('totp')])
      .where(sql<boolean>`id = any(${[...uids]}::bigint[])`)
    const rows = await (locked ? query.orderBy('id').forNoKeyUpdate() : query).execute()
    return new Map(rows.map((row) => [row.id, standingOf(row)]))
  }
  function standingOf(
    row: Pick<AccountRow, 'level' | 'status' | 'demo' | 'email' | 'mobile' | 'withdraw_hold_until'> & FoundProofs,
  ): Standing {
    const { id: uid, level, status, demo, email, mobile } = row
    const address = email ?? mobile
    return {
      uid,
      level,
      status,
      demo,
      totp: row.totp,
      hasPayPassword: row.pays,
      emailBound: email !== null,
      mobileBound: mobile !== null,
      holdUntil: holdUntil(row.withdraw_hold_until, clock.now()),
      codeTo: address ? mask(address) : '',
      codeBy: email ? 'mail' : mobile ? 'sms' : 'none',
    }
  }
  async function find(uid: number, tx: Tx | undefined, locked: boolean): Promise<Standing> {
    const standing = (await findAll([uid], tx, locked)).get(uid)
    if (!standing) throw new ApiProblem('unauthorized')
    return standing
  }

  return {
    async payPassword(caller, typed, field = 'pay_password') {
      const account = await ownAccount(context, caller)
      if (account.pay_password_hash === null) throw new ApiProblem('pay_password_missing', { field })
      const secret = { kind: 'pay', who: String(account.id) } as const
      await guesses.take(secret, caller)
      if (!(await hasher.verify(account.pay_password_hash, typed))) {
        log.warn({ event: 'proof_refused', reason: 'pay_password_wrong', uid: account.id, ip: caller.ip }, 'a pay password was wrong')
        throw new ApiProblem('pay_password_wrong', { field })
      }
      await guesses.clear(secret)
    },
    async code(caller, scene, typed, field = 'code') {
      const bound = scene === 'identity' ? { target: (await ownAccount(context, caller)).email ?? '' } : {}
      const id = await codes.check({ scene, account: caller.user.uid, ...bound, code: typed, field })
      return { use: (tx) => codes.use(tx, id, field) }
    },
    async secondFactor(caller, typed, field = 'totp') {
      await factor.pass(caller.user.uid, typed, caller, field)
    },
    standing: (uid, tx) => find(uid, tx, false),
    standings: (uids, tx) => findAll(uids, tx, false),
    async lock(tx, uid, frozenToo = false) {
      const standing = await find(uid, tx, true)
      if (standing.status !== 'active' && !frozenToo) throw new ApiProblem('account_frozen')
      return standing
    },
    raise: async (tx, uid, level) =>
      void (await writeAny(tx.updateTable('account').set({ level }).where('id', '=', uid).where('level', '<', level))),
  }
}
