import type { Tx } from '#server-kit/db/db.ts'

/** A sentence of mail.json with what stands in its `{{holes}}`. A value may be a sentence itself. */
export interface Words {
  key: string
  values?: Readonly<Record<string, string | Words>>
}

export interface Message {
  channel: 'mail' | 'sms'
  /** Canonical address or number. */
  to: string
  /** Language of the one who reads it. */
  lang: string
  /** What it is, for operators: code:register, notice:password_changed. */
  kind: string
  subject: Words
  text: Words
  /** Not sent after that (ms UTC). */
  expiresAt?: number
  /** Nobody gets it; it only costs the same work. */
  drop?: boolean
}

/** Where messages to customers go: written with the change they speak of, sent afterwards. The door of this room for other modules. */
export interface Post {
  put(tx: Tx, message: Message): Promise<void>
}
