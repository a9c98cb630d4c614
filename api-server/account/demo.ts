import { createAccountStore } from '#api-server/account/account.store.ts'
import { newInviteCode } from '#api-server/account/login/register.handlers.ts'
import { type Database, isUniqueViolation } from '#server-kit/db/db.ts'
import type { Hasher } from '#server-kit/security/hasher.ts'
import { randomToken } from '#server-kit/security/secrets.ts'

/**
 * An account for looking around. Its password is published, so it is made, and opens, only where nobody but this machine can reach the server
 * (see demoIsOpen), and is marked as a demonstration wherever it is shown.
 */
export const demoAccount = {
  username: 'demo@tessera.example',
  /** Of the numbers that are given to nobody, so that stories may use them. */
  mobile: '+1 2025550143',
  password: 'Look-around-2468',
  payPassword: 'Pay-2468-demo',
  nickname: 'Demo',
} as const

const provedLevel = 2

async function freeMobile(database: Database): Promise<string | null> {
  const owner = await createAccountStore(database).byLogin({ kind: 'mobile', address: demoAccount.mobile })
  return owner ? null : demoAccount.mobile
}

/** Makes the account, or gives one of an earlier version what it lacks: everything that a customer must have proved, so that nothing is closed. */
export async function seedDemoAccount(database: Database, hasher: Hasher, now: number): Promise<void> {
  const store = createAccountStore(database)
  const found = await store.byLogin({ kind: 'email', address: demoAccount.username })
  if (found && !found.demo) return
  const mobile = found?.mobile ?? (await freeMobile(database))
  if (found?.level === provedLevel && found.mobile === mobile) return
  const row = {
    email: demoAccount.username,
    mobile,
    nickname: demoAccount.nickname,
    lang: 'en',
    invite_code: newInviteCode(),
    demo: true,
    password_hash: await hasher.hash(demoAccount.password),
    pay_password_hash: await hasher.hash(demoAccount.payPassword),
    level: provedLevel,
    created_at: now,
  }
  try {
    await database.transaction(async (tx) => {
      if (found) await store.update(tx, found.id, { level: provedLevel, mobile })
      else await store.create(tx, row)
    })
  } catch (error) {
    // Another node that starts at the same time was faster.
    if (!isUniqueViolation(error)) throw error
  }
}

/** Makes an account for a program that trades with demonstration money, once. Nobody has its password. @returns its number */
export async function programAccount(
  database: Database,
  hasher: Hasher,
  now: number,
  of: { email: string; nickname: string },
): Promise<number> {
  const store = createAccountStore(database)
  const found = await store.byLogin({ kind: 'email', address: of.email })
  if (found) return found.id
  const row = { ...of, mobile: null, lang: 'en', invite_code: newInviteCode(), demo: true, level: provedLevel }
  const password_hash = await hasher.hash(randomToken())
  return database.transaction((tx) => store.create(tx, { ...row, password_hash, pay_password_hash: null, created_at: now }))
}
