import { sql } from 'kysely'
import type { AccountRow } from '#api-server/account/account.migration.ts'
import type { Login } from '#contract/rules/contact.rules.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'

type NewAccount = Pick<AccountRow, 'email' | 'mobile' | 'password_hash' | 'pay_password_hash' | 'nickname' | 'lang' | 'invite_code'> &
  Partial<Pick<AccountRow, 'invited_by' | 'demo' | 'level' | 'head_portrait' | 'signature'>> & { created_at: number }

export interface AccountStore {
  byLogin(login: Login): Promise<AccountRow | undefined>
  byId(id: number): Promise<AccountRow | undefined>
  idOfInviteCode(code: string): Promise<number | undefined>
  /** Customers who came with the code of this account, and those who came with a code of theirs. */
  countInvited(id: number): Promise<{ first: number; second: number }>
  /** @returns its number. @throws unique violation when an address is taken */
  create(tx: Tx, account: NewAccount): Promise<number>
  update(tx: Tx, id: number, change: Partial<Omit<AccountRow, 'id'>>): Promise<void>
  /**
   * No two changes of one account run at once. Rows that refer to the account may be added meanwhile: a transaction that adds one may have
   * locked what the change needs next, such as a balance.
   */
  lock(tx: Tx, id: number): Promise<AccountRow>
}

export function createAccountStore(database: Database): AccountStore {
  const { db } = database
  const count = sql<number>`count(*)::int`.as('n')
  return {
    byLogin: ({ kind, address }) => db.selectFrom('account').selectAll().where(kind, '=', address).executeTakeFirst(),
    byId: (id) => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst(),
    idOfInviteCode: async (code) => (await db.selectFrom('account').select('id').where('invite_code', '=', code).executeTakeFirst())?.id,
    async countInvited(id) {
      const mine = db.selectFrom('account').where('invited_by', '=', id)
      const first = await mine.select(count).executeTakeFirstOrThrow()
      const second = await db.selectFrom('account').where('invited_by', 'in', mine.select('id')).select(count).executeTakeFirstOrThrow()
      return { first: first.n, second: second.n }
    },
    async create(tx, account) {
      const { rows } = await sql<{ id: number }>`select nextval('account_id') as id`.execute(tx)
      const id = rows[0]!.id
      const defaults = { invited_by: null, demo: false, level: 0, head_portrait: '', signature: '', withdraw_hold_until: null }
      await write(1, tx.insertInto('account').values({ ...defaults, ...account, id, credit_score: 100, status: 'active' }))
      return id
    },
    update: async (tx, id, change) => void (await write(1, tx.updateTable('account').set(change).where('id', '=', id))),
    lock: (tx, id) => tx.selectFrom('account').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow(),
  }
}
