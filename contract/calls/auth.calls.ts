import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { areaCode, areaCodeId, code, deviceName, emailAddress, factor, passwordText, ticket } from '#contract/credentials.ts'
import { timeMs } from '#contract/fields.ts'

/**
 * Purposes of codes. A code is valid for its purpose only. The first two are for visitors; the others need a session and are sent to an
 * address of its account, except that `bind_email` and `bind_mobile` are sent to the new address. `identity` is sent by e-mail only.
 */
export const scenes = [
  'register',
  'reset_password',
  'change_password',
  'change_pay_password',
  'bind_email',
  'bind_mobile',
  'second_factor',
  'withdraw',
  'identity',
] as const
export type Scene = (typeof scenes)[number]
export const scene = z.enum(scenes)

/** The answer is the same whether or not the account exists. */
export const codeSent = z.object({
  target: z.string().describe('masked address or number: a***@b.com'),
  resend_after: z.int().nonnegative().describe('seconds until the next code may be requested'),
  expires_in: z.int().positive().describe('lifetime of the code in seconds'),
  digits: z.int().positive(),
  ticket: z.string().describe('send it with the code: a code requested by a visitor is valid for that visitor only'),
})
const sendProblems = ['email_wrong', 'mobile_wrong', 'code_too_soon', 'code_daily_limit', 'address_missing', 'unauthorized'] as const

const codeRequest = z.object({
  user_string: z.string().min(1).max(254).optional().describe('address or number; absent: that of the account of the session'),
  scene,
  area_code_id: areaCodeId,
  area_code: areaCode,
  device: deviceName,
  email_code: z.string().max(20).optional().describe('ignored; older apps send it'),
})

const session = z.object({
  token: z.string().describe('Authorization header of all further calls; shown once'),
  uid: z.int().positive(),
  nickname: z.string(),
  head_portrait: z.string(),
  expires: timeMs.describe('when the session ends at the latest'),
  device: z.string().describe('names this device at the next login; keeps the owner from being locked out by strangers'),
})

export const authCalls = calls({
  'auth.smsMail': {
    method: 'POST',
    path: '/sms_mail',
    auth: 'none',
    input: codeRequest,
    output: codeSent,
    problems: sendProblems,
    summary: 'Sends a code to an e-mail address',
  },
  'auth.smsSend': {
    method: 'POST',
    path: '/sms_send',
    auth: 'none',
    input: codeRequest,
    output: codeSent,
    problems: sendProblems,
    summary: 'Sends a code to a mobile number',
  },
  'user.checkEmail': {
    method: 'POST',
    path: '/user/check_email',
    auth: 'none',
    input: z.object({ email: emailAddress }),
    output: z.object({ available: z.boolean() }),
    problems: ['email_wrong'],
    summary: 'Whether this e-mail address can still be registered; five times an hour',
  },
  'user.register': {
    method: 'POST',
    path: '/user/register',
    auth: 'none',
    input: z.object({
      username: z.string().min(1).max(254).describe('e-mail address, or mobile number with area_code'),
      code: code.describe('of the scene register'),
      ticket,
      password: passwordText,
      re_password: passwordText,
      mpassword: passwordText.optional().describe('pay password; may be set later'),
      extension_code: z.string().max(40).optional().describe('invite code of another customer'),
      type: z.enum(['email', 'mobile']).optional().describe('absent: email when the username has an @'),
      area_code: areaCode,
    }),
    output: session,
    problems: [
      'email_wrong',
      'mobile_wrong',
      'passwords_differ',
      'password_too_short',
      'password_too_long',
      'password_common',
      'pay_password_too_short',
      'pay_password_same',
      'invite_code_wrong',
      'code_wrong',
      'code_void',
      'too_many_tries',
      'account_exists',
    ],
    summary: 'Registers an account with a verified address, and logs in',
  },
  'user.login': {
    method: 'POST',
    path: '/user/login',
    auth: 'none',
    input: z.object({
      username: z.string().min(1).max(254).describe('e-mail address, or mobile number with area_code'),
      password: passwordText,
      area_code: areaCode,
      totp: factor,
      device: deviceName,
    }),
    output: session,
    problems: [
      'email_wrong',
      'mobile_wrong',
      'login_failed',
      'too_many_tries',
      'second_factor_required',
      'second_factor_wrong',
      'account_frozen',
    ],
    summary: 'Opens a session; a token sent along is ended',
  },
  'user.logout': {
    method: 'GET',
    path: '/user/logout',
    auth: 'user',
    whileFrozen: true,
    input: z.object({}),
    output: z.object({}),
    problems: [],
    summary: 'Ends the session',
  },
})
