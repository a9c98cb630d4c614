import type { Contact } from '#api-server/account/contact.reads.ts'
import type { Message } from '#api-server/outbox/post.ts'
import { kindOf, type Notice, sentenceOf } from '#contract/calls/notice.kinds.ts'

/** The message of a notice: by mail where there is an address, else to the number. A reason stands in the language in which it was written. */
export function messageOf({ email, mobile, lang }: Contact, { kind, word, figures }: Notice, at: number): Message {
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const { coin = '', ...values } = figures as Partial<Record<string, string>>
  for (const name of ['amount', 'result']) if (values[name] !== undefined) values[name] = `${values[name]} ${coin}`
  const what = { key: `sentence_${sentenceOf({ kind, word })}`, values: values as Record<string, string> }
  const words = kindOf(kind).mail === 'alarm' ? 'alarm' : 'news'
  const [channel, form] = email ? (['mail', 'text'] as const) : (['sms', 'sms'] as const)
  return {
    channel,
    to: email ?? mobile ?? '',
    lang,
    kind: `notice:${kind}`,
    subject: { key: `${words}_subject` },
    text: { key: `${words}_${form}`, values: { what, time } },
  }
}
