import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { fill, oneLine, outboxLimits } from '#api-server/outbox/outbox.rules.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import type { Post, Words } from '#api-server/outbox/post.ts'
import type { Database } from '#server-kit/db/db.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Texts } from '#server-kit/ops/texts.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** Delivers a text to a person. */
export interface Carrier {
  /** @throws when the message was not accepted */
  send(to: string, subject: string, text: string): Promise<void>
  close?(): void
}

interface OutboxDeps {
  database: Database
  clock: Clock
  log: Log
  secrets: Secrets
  /** Texts of mail.json and notice.json. */
  texts: Texts
  /** Messages of a channel without a carrier wait. */
  carriers: Partial<Record<OutboxRow['channel'], Carrier>>
}

interface WaitingMessage {
  id: number
  channel: OutboxRow['channel']
  to: string
  kind: string
  subject: string
  text: string
  created: number
}

export interface Outbox extends Post {
  /** Waiting messages, newest first; for tests and operators. */
  waiting(to: string | undefined): Promise<WaitingMessage[]>
  /** Sends due messages. @returns the number of sent messages */
  sendDue(): Promise<number>
  /** Removes old messages. */
  readonly jobs: readonly PlannedJob[]
  start(registry?: Registry): void
  stop(): Promise<void>
}

const everyMs = 2_000
const purgeEveryMs = 3_600_000
/** Name under which messages are encrypted. */
export const sealName = 'outbox'

export function createOutbox({ database, clock, log, secrets, texts, carriers }: OutboxDeps): Outbox {
  const store = createOutboxStore(database)

  function write(lang: string, { key, values = {} }: Words): string {
    const filled = Object.entries(values).map(
      ([name, value]) => [name, typeof value === 'string' ? oneLine(value) : write(lang, value)] as const,
    )
    return fill(texts.say(lang, key), Object.fromEntries(filled)).trim()
  }

  /** @throws when it was not sent and this node may try it again */
  async function send(found: OutboxRow): Promise<void> {
    const now = clock.now()
    const row = await store.take(found, now + outboxLimits.takenMs)
    if (!row) return
    if (row.expires_at !== null && row.expires_at <= now) return store.end(row, 'expired')
    try {
      const { subject, text } = JSON.parse(secrets.open(row.message, sealName)) as { subject: string; text: string }
      await carriers[row.channel]!.send(row.target, subject, text)
      sent++
    } catch (error) {
      // The reply of a mail server may repeat the message, so only the class of the error goes on.
      const reason = (error as { code?: unknown } | null)?.code
      if (await store.again(row)) throw new Error(`the ${row.channel} was not sent: ${String(reason)}`)
      return
    }
    await store.end(row, 'sent')
  }

  let sent = 0
  const channels = (['mail', 'sms'] as const).filter((channel) => carriers[channel])
  const where = channels.length ? sql`channel in (${sql.join(channels)})` : sql`false`
  const messages = dueRows(
    { database, clock, log },
    {
      name: 'outbox',
      source: dueTable(database, { table: 'outbox', due: 'next_at', where: sql`status in ('waiting', 'sending') and ${where}` }),
      everyMs,
      atOnce: 1,
      firstRetryMs: outboxLimits.firstRetryMs,
      // A mail server that is away is seen by the operators of the mail server.
      level: 'warn',
      lateMs: Number.POSITIVE_INFINITY,
      each: send,
      gaveUp: (tx, row) => store.end({ id: row.id, tries: row.tries + 1 }, 'failed', tx),
    },
  )

  return {
    async put(tx, { channel, to, lang, kind, subject, text, expiresAt, drop }) {
      const now = clock.now()
      const message = JSON.stringify({ subject: write(lang, subject), text: write(lang, text) })
      await store.insert(tx, {
        channel,
        target: to,
        kind,
        status: drop ? 'dropped' : 'waiting',
        created_at: now,
        next_at: now,
        message: secrets.seal(message, sealName),
        expires_at: expiresAt ?? null,
      })
    },
    async waiting(to) {
      const rows = await store.waiting(to)
      return rows
        .filter((row) => row.message.length > 0)
        .map((row) => {
          const { subject, text } = JSON.parse(secrets.open(row.message, sealName)) as { subject: string; text: string }
          return { id: row.id, channel: row.channel, to: row.target, kind: row.kind, subject, text, created: row.created_at }
        })
    },
    async sendDue() {
      const before = sent
      await messages.pass()
      return sent - before
    },
    jobs: [{ name: 'outbox_old', everyMs: purgeEveryMs, work: () => store.removeOld(clock.now() - outboxLimits.keptMs) }],
    start: messages.start,
    async stop() {
      await messages.stop()
      for (const carrier of Object.values(carriers)) carrier?.close?.()
    },
  }
}
