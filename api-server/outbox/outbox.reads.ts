import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import { sealName } from '#api-server/outbox/outbox.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** A message as it stands in the list: nothing in it tells the address, the text or a code. */
export interface ListedMessage {
  id: number
  channel: OutboxRow['channel']
  /** Masked. */
  to: string
  kind: string
  status: OutboxRow['status']
  /** False where the text is gone, which it is once the message was sent or given up. */
  readable: boolean
  created: number
}
export interface ReadMessage extends ListedMessage {
  /** In full. */
  address: string
  subject: string
  text: string
  /** Six digits of a message that brings a code. */
  code: string | null
}
export interface OutboxReads {
  /**
   * Newest first.
   * @param ask search: part of an address, a number or a kind · before: id of the last row of the page before
   */
  page(ask: { search?: string | undefined; before?: number | undefined }): Promise<{ rows: ListedMessage[]; before: number | null }>
  /** One message in clear: whether the caller may see it is the caller's to ask and to write down. Undefined for none. */
  one(id: number): Promise<ReadMessage | undefined>
}

/** Enough to tell whose message it is, and no more: a***@b.com, …8000. */
const masked = (to: string) => (to.includes('@') ? `${to.slice(0, 1)}***${to.slice(to.indexOf('@'))}` : `…${to.slice(-4)}`)

const pageRows = 100
const nothing = { subject: '', text: '' }

export function createOutboxReads(database: Database, secrets: Secrets): OutboxReads {
  const store = createOutboxStore(database)
  // What was dropped on purpose, so that nobody learns that there is no such account, brings no code that would work.
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
