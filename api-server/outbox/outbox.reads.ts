import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import { sealName } from '#api-server/outbox/outbox.ts'
import type { Database } from '#server-kit/db.ts'
import type { Secrets } from '#server-kit/secrets.ts'

export interface ReadMessage {
  id: number
  channel: OutboxRow['channel']
  to: string
  kind: string
  status: OutboxRow['status']
  /** Empty where the text is gone, which it is once the message was sent or given up. */
  subject: string
  text: string
  /** Six digits of a message that brings a code. */
  code: string | null
  created: number
}
export interface OutboxReads {
  /**
   * Newest first, with texts in clear: who may see them is the caller's to ask.
   * @param ask search: part of an address, a number or a kind · before: id of the last row of the page before
   */
  page(ask: { search?: string | undefined; before?: number | undefined }): Promise<{ rows: ReadMessage[]; before: number | null }>
}

const pageRows = 100
const nothing = { subject: '', text: '' }

export function createOutboxReads(database: Database, secrets: Secrets): OutboxReads {
  const store = createOutboxStore(database)
  return {
    async page({ search, before }) {
      const found = await store.page(search, before, pageRows)
      const rows = found.map((row): ReadMessage => {
        // What was dropped on purpose, so that nobody learns that there is no such account, brings no code that would work.
        const told =
          row.message.length > 0 && row.status !== 'dropped' ? (JSON.parse(secrets.open(row.message, sealName)) as typeof nothing) : nothing
        const code = row.kind.startsWith('code:') ? (/\b\d{6}\b/.exec(told.text)?.[0] ?? null) : null
        const { id, channel, target: to, kind, status, created_at: created } = row
        return { ...{ id, channel, to, kind, status }, subject: told.subject, text: told.text, code, created }
      })
      return { rows, before: found.length === pageRows ? found.at(-1)!.id : null }
    },
  }
}
