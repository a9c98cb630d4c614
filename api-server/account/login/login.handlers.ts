import type { AccountRow } from '#api-server/account/account.migration.ts'
import { callingCode } from '#api-server/account/address/areas.rules.ts'
import { type AccountContext, accountOf } from '#api-server/account/context.ts'
import { deviceName } from '#api-server/account/sessions/session.rules.ts'
import type { authCalls } from '#contract/calls/auth.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { loginOf, loginProblem } from '#contract/rules/contact.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Caller, Handlers } from '#server-kit/http/http.ts'
import { randomToken, tokenHash } from '#server-kit/security/secrets.ts'

interface Opened {
  token: string
  id: string
  uid: number
  nickname: string
  head_portrait: string
  expires: number
  device: string
}

/** @param device what a login on this device answered before, if the account knows it; otherwise it gets a new name */
export async function openSession(
  { sessions, clock }: Pick<AccountContext, 'sessions' | 'clock'>,
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'nickname' | 'head_portrait'>,
  caller: Caller,
  device: string | undefined,
): Promise<Opened> {
  const named = device ?? randomToken()
  await sessions.store.keepDevice(tx, account.id, tokenHash(named), clock.now())
  const { token, id, expires } = await sessions.open(tx, account.id, caller)
  return { token, id, uid: account.id, nickname: account.nickname, head_portrait: account.head_portrait, expires, device: named }
}

export const answerOf = ({ id: _, ...answer }: Opened): Omit<Opened, 'id'> => answer

export function loginHandlers(context: AccountContext): Pick<Handlers<typeof authCalls>, 'user.login' | 'user.logout'> {
  const { database, store, sessions, hasher, guesses, factor, log, notices } = context
  const refused = (reason: string, caller: Caller, uid?: number) =>
    log.warn({ event: 'login_refused', reason, uid, ip: caller.ip, agent: caller.agent }, 'a login was refused')

  return {
    'user.login': async ({ username, password, area_code, totp, device }, caller) => {
      const login = loginOf(username, callingCode(area_code, undefined))
      // A name that no account can have opens nothing, so it is no guess at a password.
      if (!login) {
        refused('name', caller)
        throw new ApiProblem(loginProblem(username), { field: 'username' })
      }
      await guesses.loginTried(caller)
      let account = await accountOf(context, login)
      const isKnown = device !== undefined && (await sessions.store.knowsDevice(account?.id ?? 0, tokenHash(device)))
      // Strangers share one count for a name. A device of the owner has its own, so that they cannot lock the owner out.
      const secret = { kind: 'login', who: isKnown ? `${login.address}\n${device}` : login.address } as const
      await guesses.take(secret, caller)
      const isRight = await hasher.verify(account?.password_hash, password)
      if (!account || !isRight) {
        refused(account ? 'password' : 'account', caller, account?.id)
        throw new ApiProblem('login_failed')
      }
      let passed: Awaited<ReturnType<typeof factor.pass>>
      try {
        passed = await factor.pass(account.id, totp, caller, 'totp')
      } catch (error) {
        // Guesses at the second factor are counted by themselves.
        await guesses.giveBack(secret)
        refused(error instanceof ApiProblem ? error.code : 'internal', caller, account.id)
        throw error
      }
      const isStrange = !isKnown && (await sessions.store.hasDevice(account.id))
      const before = await sessions.userOf(caller)
      const enter = async (known: AccountRow): Promise<Opened | undefined> => {
        const upgraded = hasher.isDated(known.password_hash) ? await hasher.hash(password) : undefined
        return database.transaction(async (tx) => {
          // While the password was looked at the password may have been changed or the second factor turned on.
          const still = await store.lock(tx, known.id)
          if (still.password_hash !== known.password_hash) return undefined
          if (passed === 'none' && (await factor.isOn(known.id, tx))) throw new ApiProblem('second_factor_required', { field: 'totp' })
          // First, so that they go out in the language of before: this login may be a stranger's.
          const name = [deviceName(caller.userAgent ?? ''), caller.ip].filter(Boolean).join(' · ')
          if (isStrange) await notices.notify(tx, known.id, { kind: 'new_login', figures: { name } })
          if (passed === 'recovery') await notices.notify(tx, known.id, { kind: 'recovery_code_used', figures: {} })
          await store.update(tx, known.id, { lang: caller.lang, ...(upgraded !== undefined && { password_hash: upgraded }) })
          if (before) await sessions.store.end(tx, before.uid, before.session)
          return openSession(context, tx, known, caller, isKnown ? device : undefined)
        })
      }
      let opened = await enter(account)
      if (!opened) {
        // The same password with another hash is a second login that renewed it; anything else is a new password.
        const now = await store.byId(account.id)
        if (now && (await hasher.verify(now.password_hash, password))) {
          account = now
          opened = await enter(now)
        }
        if (!opened) throw new ApiProblem('login_failed')
      }
      await guesses.clear(secret)
      await guesses.loginSucceeded(caller)
      if (before) sessions.tell(before.uid)
      const known = { uid: account.id, session: opened.id, factor: passed, known_device: isKnown }
      log.info({ event: 'login', ...known, ip: caller.ip, agent: caller.agent }, 'a session was opened')
      return answerOf(opened)
    },
    'user.logout': async (_input, caller) => {
      const { uid, session } = caller.user
      await sessions.end(uid, session)
      log.info({ event: 'logout', uid, session, ip: caller.ip }, 'a session was ended')
      return {}
    },
  }
}
