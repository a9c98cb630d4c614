import { createAccountStore } from '#api-server/account/account.store.ts'
import { newInviteCode } from '#api-server/account/register.handlers.ts'
import { type Database, isUniqueViolation } from '#server-kit/db.ts'
import type { Hasher } from '#server-kit/hasher.ts'

/**
 * An account for looking around. Its password is published, so it is made, and opens, only where nobody but this machine can reach the server
 * (see demoIsOpen), and is marked as a demonstration wherever it is shown.
 */
export const demoAccount = {
  username: 'demo@tessera.example',
  password: 'Look-around-2468',
  payPassword: 'Pay-2468-demo',
  nickname: 'Demo',
} as const

export async function seedDemoAccount(database: Database, hasher: Hasher, now: number): Promise<void> {
  const store = createAccountStore(database)
  if (await store.byLogin({ kind: 'email', address: demoAccount.username })) return
  const row = {
    ...{ email: demoAccount.username, mobile: null, nickname: demoAccount.nickname, lang: 'en', invite_code: newInviteCode(), demo: true },
    password_hash: await hasher.hash(demoAccount.password),
    pay_password_hash: await hasher.hash(demoAccount.payPassword),
    created_at: now,
  }
  try {
    await database.transaction((tx) => store.create(tx, row))
  } catch (error) {
    // Another node that starts at the same time was faster.
    if (!isUniqueViolation(error)) throw error
  }
}
