import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import { sealName } from '#api-server/outbox/outbox.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** A message as listed: without full address, text and code. */
interface ListedMessage {
  id: number
  channel: OutboxRow['channel']
  /** Masked. */
  to: string
  kind: string
  status: OutboxRow['status']
  /** False when the text was removed, after the message was sent or given up. */
  readable: boolean
  created: number
}
interface ReadMessage extends ListedMessage {
  /** Full address or number. */
  address: string
  subject: string
  text: string
  /** The six digits of a message with a code, otherwise null. */
  code: string | null
}
export interface OutboxReads {
  /**
   * A page of messages, newest first.
   * @param ask search: part of an address, a number or a kind · before: id of the last row of the previous page
   */
  page(ask: { search?: string | undefined; before?: number | undefined }): Promise<{ rows: ListedMessage[]; before: number | null }>
  /** Returns one message in full; undefined for an unknown id. The caller checks the permission and records the access. */
  one(id: number): Promise<ReadMessage | undefined>
}

/** Masks an address so that its owner can still be recognized: a***@b.com, …8000. */
const masked = (to: string) => (to.includes('@') ? `${to.slice(0, 1)}***${to.slice(to.indexOf('@'))}` : `…${to.slice(-4)}`)

const pageRows = 100
const nothing = { subject: '', text: '' }

export function createOutboxReads(database: Database, secrets: Secrets): OutboxReads {
  const store = createOutboxStore(database)
  // A message that is dropped, to hide that an account does not exist, has no working code to show.
  const isReadable = (row: OutboxRow) => row.message.length > 0 && row.status !== 'dropped'
  const listed = (row: OutboxRow): ListedMessage => {
    const { id, channel, kind, status, created_at: created } = row
    return { id, channel, to: masked(row.target), kind, status, readable: isReadable(row), created }
  }
  return {
    async page({ search, before }) {
      const found = await store.page(search, before, pageRows)
      return { rows: found.map(listed), before: found.length === pageRows ? found.at(-1)!.id : null }
    },
    async one(id) {
      const row = await store.one(id)
      if (!row) return undefined
      const told = isReadable(row) ? (JSON.parse(secrets.open(row.message, sealName)) as typeof nothing) : nothing
      const code = row.kind.startsWith('code:') ? (/\b\d{6}\b/.exec(told.text)?.[0] ?? null) : null
      return { ...listed(row), address: row.target, subject: told.subject, text: told.text, code }
    },
  }
}
