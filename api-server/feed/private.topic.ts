import type { Connection, Sender } from '#api-server/feed/connection.ts'
import { type ChangeMessage, feedLimits } from '#contract/feed.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'

interface Entry {
  readonly seq: number
  readonly topic: TopicName
  readonly changed: ChangedRow | undefined
  /** Monotonic ms. */
  readonly at: number
}
/** What one customer was told. */
interface Journal {
  readonly members: Set<Connection>
  seq: number
  /** Everything after this number is in `entries`. */
  since: number
  readonly entries: Entry[]
  /** Monotonic ms since which nobody listens. */
  leftAt: number | undefined
}

/**
 * Messages to one customer, numbered. None is dropped or merged: who was away for a short while gets what was missed, who was away for longer
 * is told so and asks for everything again.
 */
export function createPrivateTopic(sender: Sender, epoch: string, monotonic: () => number) {
  const journals = new Map<string, Journal>()
  /** Above every number that was ever given out and forgotten since, so that an old place never fits a new journal. */
  let floor = 0

  /** A client that takes no rows keeps its numbers without a gap, and loads again what tells of money and records. */
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

  return {
    /**
     * From here on this connection is told what concerns its customer.
     * @param resume where the client stopped hearing
     * @returns the number that was reached, whether nothing is lost, and what sends the client what it missed
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
      if (journal?.members.delete(one) && !journal.members.size) journal.leftAt = monotonic()
    },
    tell(uid: string, topic: TopicName, changed?: ChangedRow): void {
      const journal = journals.get(uid)
      // Nobody of theirs has been here for longer than a journal lasts: whoever comes asks for everything anyway.
      if (!journal) return
      const entry = { seq: ++journal.seq, topic, changed, at: monotonic() }
      journal.entries.push(entry)
      shorten(journal)
      if (!journal.members.size) return
      const made = new Map<boolean, Buffer>()
      for (const one of journal.members) {
        if (one.uid !== uid) continue
        const bytes = made.get(one.rows) ?? bytesOf(entry, one.rows)
        made.set(one.rows, bytes)
        sender.send(one, bytes)
      }
    },
    /** Forgets customers who have left for good. */
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
