import { type Connection, type FeedCounts, isSlow, type Sender } from '#api-server/feed/connection.ts'
import { type ChangeMessage, feedLimits } from '#contract/feed.ts'
import type { ChangedRow } from '#contract/topic.ts'
import { type TopicName, topicNames } from '#contract/topics.ts'

interface Entry {
  readonly seq: number
  readonly topic: TopicName
  readonly changed: ChangedRow | undefined
  /** Monotonic ms. */
  readonly at: number
}
/** Recent messages to one customer. */
interface Journal {
  readonly members: Set<Connection>
  seq: number
  /** The last number before the first entry of `entries`. */
  since: number
  readonly entries: Entry[]
  /** Monotonic ms since the last connection of the customer closed. */
  leftAt: number | undefined
}

/** Entries above the limit that a journal may have until it is shortened. */
const shortenedBy = 100

/**
 * Numbered messages to one customer. None is dropped or merged. Messages that a slow client has not received yet stay in the journal, and
 * are sent once it keeps up again. After a short absence a client receives the messages that it missed; after a longer one it gets a notice
 * of the gap and loads everything again.
 */
export function createPrivateTopic(sender: Sender, counts: FeedCounts, epoch: string, monotonic: () => number) {
  const journals = new Map<string, Journal>()
  /** Above every number of a removed journal, so that an old position never fits a new journal. */
  let floor = 0

  /** A client that does not accept rows gets every number, and loads balances and records again. */
  const messageOf = ({ topic, seq, changed }: Entry, rows: boolean): ChangeMessage =>
    changed && !rows ? { action: 'balance', seq } : { action: topic, seq, ...changed }
  const bytesOf = (entry: Entry, rows: boolean) => sender.encode(messageOf(entry, rows))
  function shorten(journal: Journal): void {
    const { journalKept, journalMs } = feedLimits
    const oldest = monotonic() - journalMs
    const young = journal.entries.findIndex(({ at }) => at >= oldest)
    const gone = Math.max(journal.entries.length - journalKept, young === -1 ? journal.entries.length : young)
    if (gone > 0) journal.since = journal.entries.splice(0, gone).at(-1)!.seq
  }

  function tell(uid: string, topic: TopicName, changed?: ChangedRow): void {
    const journal = journals.get(uid)
    // No connection for longer than a journal is kept: a returning client loads everything again anyway.
    if (!journal) return
    const entry = { seq: ++journal.seq, topic, changed, at: monotonic() }
    journal.entries.push(entry)
    // Some at a time, because moving all the others for each message costs more than sending it.
    if (journal.entries.length >= feedLimits.journalKept + shortenedBy) shorten(journal)
    if (!journal.members.size) return
    let withRow: Buffer | undefined
    let bare: Buffer | undefined
    for (const one of journal.members) {
      if (one.uid !== uid) continue
      if (one.owed.privateAfter !== undefined || isSlow(one)) {
        counts.coalesced++
        one.owed.privateAfter ??= entry.seq - 1
        continue
      }
      if (one.rows) sender.send(one, (withRow ??= bytesOf(entry, true)))
      else sender.send(one, (bare ??= bytesOf(entry, false)))
    }
  }

  return {
    /**
     * Subscribes a connection to the messages of its customer.
     * @param resume last position that the client received
     * @returns the current number, whether nothing is lost, and a function that sends what the client missed
     */
    join(one: Connection, uid: string, resume: { epoch: string; seq: number } | undefined) {
      let journal = journals.get(uid)
      if (!journal) journals.set(uid, (journal = { members: new Set(), seq: floor, since: floor, entries: [], leftAt: undefined }))
      shorten(journal)
      journal.members.add(one)
      journal.leftAt = undefined
      const { seq, since, entries } = journal
      const resumed = resume?.epoch === epoch && resume.seq >= since && resume.seq <= seq
      const missed = resumed ? entries.filter((entry) => entry.seq > resume.seq) : []
      const catchUp = () => {
        for (const entry of missed) sender.send(one, bytesOf(entry, one.rows))
      }
      return { seq, resumed, catchUp }
    },
    leave(one: Connection): void {
      const journal = one.uid === null ? undefined : journals.get(one.uid)
      one.owed.privateAfter = undefined
      if (journal?.members.delete(one) && !journal.members.size) journal.leftAt = monotonic()
    },
    /** @param uid of one customer, or `all` */
    tell(uid: string, topic: TopicName, changed?: ChangedRow): void {
      for (const one of uid === 'all' ? journals.keys() : [uid]) tell(one, topic, changed)
    },
    /** Changes may be missing: all customers here load everything again. */
    lost(): void {
      for (const uid of journals.keys()) for (const topic of topicNames) tell(uid, topic)
    },
    /** Sends what a client missed while it did not keep up, as far as it keeps up now. @returns false when the journal is too short for that */
    pay(one: Connection): boolean {
      const after = one.owed.privateAfter
      const journal = one.uid === null ? undefined : journals.get(one.uid)
      if (after === undefined || !journal) return true
      if (after < journal.since) return false
      one.owed.privateAfter = undefined
      for (const entry of journal.entries.slice(after - journal.since)) {
        if (isSlow(one)) {
          one.owed.privateAfter = entry.seq - 1
          break
        }
        sender.send(one, bytesOf(entry, one.rows))
      }
      return true
    },
    /** Removes journals of customers who have been away for too long. */
    sweep(): void {
      const before = monotonic() - feedLimits.journalMs
      for (const [uid, { leftAt, seq }] of journals) {
        if (leftAt === undefined || leftAt > before) continue
        journals.delete(uid)
        floor = Math.max(floor, seq + 1)
      }
    },
  }
}
export type PrivateTopicHub = ReturnType<typeof createPrivateTopic>
