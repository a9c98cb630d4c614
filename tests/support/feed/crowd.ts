import { hash } from '@node-rs/argon2'
import { newInviteCode } from '#api-server/account/login/register.handlers.ts'
import type { TestApi } from '#tests/support/servers/api.ts'

/** An account with a cheap password hash, so that thousands of requests with it are not a load test of argon2. */
export interface Member {
  id: number
  email: string
  password: string
  invite: string
}
export const crowdPassword = 'Quiet-river-2468'
/** Far from the numbers that the server assigns. */
const firstId = 1_000_000
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const

/** A hash that verifies like any other. */
export const cheapHash = (password: string): Promise<string> => hash(password.normalize('NFKC'), cheap)

/** Creates accounts directly in the database; none is logged in. */
export async function makeCrowd({ database, clock }: TestApi, names: readonly string[], password = crowdPassword): Promise<Member[]> {
  const last = await database.db.selectFrom('account').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const password_hash = await cheapHash(password)
  const first = Math.max(last?.id ?? 0, firstId) + 1
  const members = names.map((name, i): Member => ({ id: first + i, email: `${name}@mail.example`, password, invite: newInviteCode() }))
  for (const { id, email, invite } of members)
    await database.db
      .insertInto('account')
      .values({
        id,
        email,
        mobile: null,
        password_hash,
        pay_password_hash: null,
        nickname: 'ann',
        head_portrait: '',
        signature: '',
        credit_score: 100,
        level: 0,
        status: 'active',
        lang: 'en',
        invite_code: invite,
        invited_by: null,
        withdraw_hold_until: null,
        demo: false,
        created_at: clock.now(),
      })
      .execute()
  return members
}

/** Creates a session without a login. @returns its token */
export async function tokenFor({ api, database }: TestApi, { id }: Pick<Member, 'id'>): Promise<string> {
  const caller = { lang: 'en', token: undefined, agent: '', ip: '127.0.0.1' }
  return (await database.transaction((tx) => api.accounts.sessions.open(tx, id, caller))).token
}

/** Clears all counted attempts, so that their limits do not hide other behaviour. */
export async function forgetTries({ database: { db } }: TestApi): Promise<void> {
  await db.deleteFrom('guard').execute()
  await db.deleteFrom('code_count').execute()
}
