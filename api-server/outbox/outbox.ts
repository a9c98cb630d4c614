import type { Registry } from 'prom-client'
import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { fill, oneLine, outboxLimits, retryAt } from '#api-server/outbox/outbox.rules.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import type { Post, Words } from '#api-server/outbox/post.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
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
  /** Texts of mail.json. */
  texts: Texts
  /** Messages of a channel without a carrier wait. */
  carriers: Partial<Record<OutboxRow['channel'], Carrier>>
  /** Registry for the metrics of the job; see every.ts. */
  registry?: Registry | undefined
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
  start(): void
  stop(): Promise<void>
}

const everyMs = 2_000
const purgeEveryMs = 3_600_000
/** Name under which messages are encrypted. */
export const sealName = 'outbox'

export function createOutbox({ database, clock, log, secrets, texts, carriers, registry }: OutboxDeps): Outbox {
  const store = createOutboxStore(database)
  let job: RepeatedJob | undefined
  let purgedAt = Number.NEGATIVE_INFINITY

  function write(lang: string, { key, values = {} }: Words): string {
    const filled = Object.entries(values).map(
      ([name, value]) => [name, typeof value === 'string' ? oneLine(value) : write(lang, value)] as const,
    )
    return fill(texts.say(lang, key), Object.fromEntries(filled)).trim()
  }

  async function sendOne(row: OutboxRow, carrier: Carrier): Promise<boolean> {
    const now = clock.now()
    if (row.expires_at !== null && row.expires_at <= now) {
      await store.end(row, 'expired')
      return false
    }
    try {
      const { subject, text } = JSON.parse(secrets.open(row.message, sealName)) as { subject: string; text: string }
      await carrier.send(row.target, subject, text)
      await store.end(row, 'sent')
      return true
    } catch (error) {
      const next = retryAt(row.tries, now)
      // The reply of a mail server may repeat the message, so only the class of the error is logged.
      const reason = (error as { code?: unknown } | null)?.code
      log.warn(
        { event: 'message_not_sent', message: row.id, channel: row.channel, tries: row.tries, reason },
        'outbox: a message could not be sent; it is tried again or given up after its last attempt',
      )
      await (next === undefined ? store.end(row, 'failed') : store.again(row, next))
      return false
    }
  }

  async function sendDue(): Promise<number> {
    let sent = 0
    for (const channel of ['mail', 'sms'] as const) {
      const carrier = carriers[channel]
      if (!carrier) continue
      const now = clock.now()
      const until = now + outboxLimits.takenMs
      for (const row of await store.take(channel, now, until, outboxLimits.atOnce)) {
        // The carrier is slow: the remaining messages are left to another node or to the next run.
        if (clock.now() >= until) break
        if (await sendOne(row, carrier)) sent++
      }
    }
    return sent
  }

  async function turn(): Promise<void> {
    await sendDue()
    if (Math.abs(clock.now() - purgedAt) < purgeEveryMs) return
    purgedAt = clock.now()
    await store.removeOld(clock.now() - outboxLimits.keptMs)
  }

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
    sendDue,
    start() {
      job = every(everyMs, { name: 'outbox', work: turn, log, registry })
    },
    async stop() {
      await job?.stop()
      for (const carrier of Object.values(carriers)) carrier?.close?.()
    },
  }
}
