import { randomInt } from 'node:crypto'
import { generateSecret } from 'otplib'
import * as z from 'zod'
import type { AccountContext } from '#api-server/account/context.ts'
import { answerOf, openSession } from '#api-server/account/login/login.handlers.ts'
import { newInviteCode, newNickname } from '#api-server/account/login/register.handlers.ts'
import { areaCode, defaultAreaCode } from '#contract/credentials.ts'
import { integerText } from '#contract/fields.ts'
import { ApiProblem } from '#contract/problem.ts'
import { loginOf } from '#contract/rules/contact.rules.ts'
import type { Caller } from '#server-kit/http/http.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'
import { randomToken } from '#server-kit/security/secrets.ts'

const input = z.object({
  username: z.string().optional().describe('e-mail address or mobile number; left out: a new address'),
  password: z.string().optional(),
  pay_password: z.string().optional(),
  nickname: z.string().optional(),
  email: z.string().optional(),
  mobile: z.string().optional(),
  area_code: areaCode,
  both: z.enum(['0', '1']).default('0').describe('1: with a new mobile number beside the new e-mail address'),
  extension_code: z.string().optional(),
  level: integerText(0, 2).default(0),
  totp: z.enum(['0', '1']).default('0').describe('1: with a second factor, whose secret is answered'),
})
const output = z.object({
  token: z.string(),
  uid: z.int(),
  username: z.string(),
  password: z.string(),
  pay_password: z.string().nullable(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  invite_code: z.string(),
  device: z.string(),
  totp_secret: z.string().nullable(),
  recovery_codes: z.array(z.string()),
})

const defaultPassword = 'Quiet-river-2468'

/** POST /test/user {…}: an account that is there at once, and logged in. Rules about passwords and codes are not asked. */
export function accountHook(context: AccountContext, secondFactor: (account: number, secret: string) => Promise<string[]>): TestHook {
  const { database, store, hasher, clock } = context

  async function make(asked: z.output<typeof input>, caller: Caller) {
    const username =
      asked.username ??
      asked.email ??
      asked.mobile ??
      `t${randomToken(9)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, 'x')}@test.example`
    const of = (text: string | undefined) =>
      text === undefined ? undefined : loginOf(text, asked.area_code?.replace('+', '') ?? defaultAreaCode)
    const number = asked.both === '1' ? `138${String(randomInt(10 ** 8)).padStart(8, '0')}` : asked.mobile
    const logins = [of(username), of(asked.email), of(number)]
    const email = logins.find((login) => login?.kind === 'email')?.address ?? null
    const mobile = logins.find((login) => login?.kind === 'mobile')?.address ?? null
    if (!email && !mobile) throw new ApiProblem('parameter_error', { field: 'username' })
    const password = asked.password ?? defaultPassword
    const account = {
      email,
      mobile,
      nickname: asked.nickname ?? newNickname(),
      lang: caller.lang,
      invite_code: newInviteCode(),
      level: asked.level,
      password_hash: await hasher.hash(password),
      pay_password_hash: asked.pay_password === undefined ? null : await hasher.hash(asked.pay_password),
      invited_by: asked.extension_code ? ((await store.idOfInviteCode(asked.extension_code)) ?? null) : null,
      created_at: clock.now(),
    }
    const opened = await database.transaction(async (tx) => {
      const id = await store.create(tx, account)
      return openSession(context, tx, { ...account, id, head_portrait: '' }, caller, undefined)
    })
    const totp_secret = asked.totp === '1' ? generateSecret() : null
    const recovery_codes = totp_secret === null ? [] : await secondFactor(opened.uid, totp_secret)
    const { token, uid, device } = answerOf(opened)
    const made = { username: email ?? mobile ?? '', password, pay_password: asked.pay_password ?? null, email, mobile }
    return { token, uid, device, ...made, invite_code: account.invite_code, totp_secret, recovery_codes }
  }
  return {
    row: { method: 'POST', path: '/test/user', auth: 'none', input, output, problems: [], summary: 'Makes an account and logs in' },
    handler: (asked, caller) => make(asked as z.output<typeof input>, caller),
  }
}
