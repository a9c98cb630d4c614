import type { Tx } from '#server-kit/db/db.ts'

/** A sentence of mail.json and the values of its `{{names}}`. A value may be a sentence itself. */
export interface Words {
  key: string
  values?: Readonly<Record<string, string | Words>>
}

export interface Message {
  channel: 'mail' | 'sms'
  /** Normalized e-mail address or mobile number. */
  to: string
  /** Language of the reader. */
  lang: string
  /** Kind for operators: code:register, notice:password_changed. */
  kind: string
  subject: Words
  text: Words
  /** Not sent after this time (ms UTC). */
  expiresAt?: number
  /** Stored but not sent, so that the call takes the same time as one that sends. */
  drop?: boolean
}

/** Queues messages to customers in the transaction of the change that causes them; they are sent later. Interface for other modules. */
export interface Post {
  put(tx: Tx, message: Message): Promise<void>
}
