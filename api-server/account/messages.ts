import { codeLimits } from '#api-server/account/codes/code.rules.ts'
import type { Message } from '#api-server/outbox/post.ts'
import type { Scene } from '#contract/calls/auth.calls.ts'

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

/** The message with a verification code. */
export function codeMessage({ channel, to, lang, scene, code, sentAt, drop }: CodeMessage): Message {
  const values = { code, minutes: String(codeLimits.lifeMs / 60_000), purpose: { key: `scene_${scene}` } }
  const text = { key: channel === 'sms' ? 'code_sms' : 'code_text', values }
  return { channel, to, lang, kind: `code:${scene}`, subject: { key: 'code_subject' }, text, expiresAt: sentAt + codeLimits.lifeMs, drop }
}
