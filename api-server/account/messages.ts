import type { AccountRow } from '#api-server/account/account.migration.ts'
import { codeLimits } from '#api-server/account/codes/code.rules.ts'
import type { Message } from '#api-server/outbox/post.ts'
import type { Scene } from '#contract/calls/auth.calls.ts'

/** Changes of an account's security. Each has its sentence `what_<notice>` in mail.json. */
export type Notice =
  | 'password_changed'
  | 'pay_password_changed'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'recovery_code_used'
  | 'mobile_changed'
  | 'email_changed'
  | 'new_login'

interface CodeMessage {
  channel: Message['channel']
  to: string
  lang: string
  scene: Scene
  code: string
  sentAt: number
  /** For an address that nobody has. */
  drop: boolean
}

export function codeMessage({ channel, to, lang, scene, code, sentAt, drop }: CodeMessage): Message {
  const values = { code, minutes: String(codeLimits.lifeMs / 60_000), purpose: { key: `scene_${scene}` } }
  const text = { key: channel === 'sms' ? 'code_sms' : 'code_text', values }
  return { channel, to, lang, kind: `code:${scene}`, subject: { key: 'code_subject' }, text, expiresAt: sentAt + codeLimits.lifeMs, drop }
}

interface NoticeOf {
  notice: Notice
  at: number
  /** Withdrawals wait because of it. */
  hold: boolean
  device: string
  ip: string
}

/** Goes by mail where there is an address, else to the number. */
export function noticeMessage(account: Pick<AccountRow, 'email' | 'mobile' | 'lang'>, { notice, at, hold, device, ip }: NoticeOf): Message {
  const channel = account.email ? 'mail' : 'sms'
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const what = { key: `what_${notice}`, values: { device: device || '–', ip } }
  const text = { key: channel === 'sms' ? 'notice_sms' : 'notice_text', values: { what, time, hold: hold ? { key: 'notice_hold' } : '' } }
  const to = account.email ?? account.mobile ?? ''
  return { channel, to, lang: account.lang, kind: `notice:${notice}`, subject: { key: 'notice_subject' }, text }
}
