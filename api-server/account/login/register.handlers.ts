import { randomBytes, randomInt } from 'node:crypto'
import { canonicalInviteCode, inviteCodeFrom, inviteCodeLength } from '#api-server/account/account.rules.ts'
import { callingCode } from '#api-server/account/address/areas.rules.ts'
import { type AccountContext, accountOf, proveVisitor } from '#api-server/account/context.ts'
import { answerOf, openSession } from '#api-server/account/login/login.handlers.ts'
import { checkPassword, payPasswordProblem } from '#api-server/account/login/password.rules.ts'
import type { authCalls } from '#contract/calls/auth.calls.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Login, loginOf, loginProblem } from '#contract/rules/contact.rules.ts'
import { isUniqueViolation } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'

export const newInviteCode = (): string => inviteCodeFrom(randomBytes(inviteCodeLength))
/** Until its owner finds a better one. */
export const newNickname = (): string => `u${randomInt(10_000_000, 100_000_000)}`

/** @throws ApiProblem email_wrong, mobile_wrong */
function namedBy(username: string, type: 'email' | 'mobile' | undefined, areaCode: string | undefined): Login {
  const login = loginOf(username, callingCode(areaCode, undefined))
  if (login && (type === undefined || type === login.kind)) return login
  throw new ApiProblem(type ? `${type}_wrong` : loginProblem(username), { field: 'username' })
}

type Registering = Pick<Handlers<typeof authCalls>, 'user.register' | 'user.checkEmail'> &
  Pick<Handlers<typeof userCalls>, 'user.checkMobile'>

export function registerHandlers(context: AccountContext): Registering {
  const { database, store, codes, hasher, guesses, clock, log } = context

  return {
    'user.register': async (input, caller) => {
      const login = namedBy(input.username, input.type, input.area_code)
      const names = [login.address]
      if (input.password !== input.re_password) throw new ApiProblem('passwords_differ', { field: 're_password' })
      checkPassword(input.password, names, context.passwordMin, 'password')
      if (input.mpassword !== undefined) {
        const weakPay = input.mpassword === input.password ? 'pay_password_same' : payPasswordProblem(input.mpassword, names)
        if (weakPay) throw new ApiProblem(weakPay, { field: 'mpassword' })
      }
      const invite = canonicalInviteCode(input.extension_code ?? '')
      const invitedBy = invite ? await store.idOfInviteCode(invite) : undefined
      if (invite && invitedBy === undefined) throw new ApiProblem('invite_code_wrong', { field: 'extension_code' })

      // From here on the caller has proved the address, so that the answer may reveal whether there is an account.
      const asked = { scene: 'register', account: 0, target: login.address } as const
      const code = await proveVisitor(context, { ...asked, code: input.code, ticket: input.ticket, field: 'code' }, caller)
      const exists = new ApiProblem('account_exists', { field: 'username' })
      if (await store.byLogin(login)) throw exists
      const account = {
        email: login.kind === 'email' ? login.address : null,
        mobile: login.kind === 'mobile' ? login.address : null,
        password_hash: await hasher.hash(input.password),
        pay_password_hash: input.mpassword === undefined ? null : await hasher.hash(input.mpassword),
        nickname: newNickname(),
        lang: caller.lang,
        invite_code: newInviteCode(),
        invited_by: invitedBy ?? null,
        created_at: clock.now(),
      }
      try {
        const opened = await database.transaction(async (tx) => {
          await codes.use(tx, code, 'code')
          const id = await store.create(tx, account)
          return openSession(context, tx, { ...account, id, head_portrait: '' }, caller, undefined)
        })
        log.info({ event: 'registered', uid: opened.uid, kind: login.kind, ip: caller.ip, agent: caller.agent }, 'an account was made')
        return answerOf(opened)
      } catch (error) {
        throw isUniqueViolation(error) ? exists : error
      }
    },
    'user.checkEmail': async ({ email }, caller) => {
      await guesses.byAddress('check', caller)
      const login = loginOf(email, undefined)
      if (login?.kind !== 'email') throw new ApiProblem('email_wrong', { field: 'email' })
      return { available: (await accountOf(context, login)) === undefined }
    },
    'user.checkMobile': async ({ mobile, area_code, captcha, ticket }, caller) => {
      await guesses.byAddress('check', caller)
      const login = loginOf(mobile, callingCode(area_code, undefined))
      if (login?.kind !== 'mobile') throw new ApiProblem('mobile_wrong', { field: 'mobile' })
      const asked = { scene: 'register', account: 0, target: login.address, ticket } as const
      if (captcha !== undefined) await proveVisitor(context, { ...asked, code: captcha, field: 'captcha' }, caller)
      return { available: (await accountOf(context, login)) === undefined }
    },
  }
}
