import type { OfficePorts } from '#api-server/kit/decision.ts'
import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { createOutboxStore } from '#api-server/outbox/outbox.store.ts'
import { sealName } from '#api-server/outbox/outbox.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { clip, clipStart } from '#contract/characters.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

type Calls = Handlers<Pick<typeof backOfficeCalls, 'office.messages' | 'office.messageOpen'>>
type Note = Parameters<OfficePorts['log']['append']>[2]

/** Masks an address so that its owner can still be recognized: a***@b.com, …8000. */
const masked = (to: string) => (to.includes('@') ? `${clip(to, 1)}***${to.slice(to.indexOf('@'))}` : `…${clipStart(to, 4)}`)
// A message that is dropped, to hide that an account does not exist, has no working code to show.
const isReadable = (row: OutboxRow) => row.message.length > 0 && row.status !== 'dropped'
const listed = (row: OutboxRow) => {
  const { id, channel, kind, status, created_at: created } = row
  return { id, channel, to: masked(row.target), kind, status, readable: isReadable(row), created }
}
const nothing = { subject: '', text: '' }

/** Messages to customers, for administrators. Each look at the list, and each message that is opened, is a row in the log of the back office. */
export function messageHandlers({ office, secrets }: { office: Pick<OfficePorts, 'database' | 'clock' | 'log'>; secrets: Secrets }): Calls {
  const { database, clock, log } = office
  const store = createOutboxStore(database)
  const logged = ({ operator }: OperatorCaller, note: Note) => database.transaction((tx) => log.append(tx, operator, note, clock.now()))
  return {
    async 'office.messages'({ page, size, search }, caller) {
      await logged(caller, { action: 'message.list', subject: 'messages', detail: search ? masked(search) : '' })
      const { rows, total } = await store.page(search, page, size)
      return { list: rows.map(listed), total }
    },
    async 'office.messageOpen'({ id, reason }, caller) {
      const row = await store.one(id)
      if (!row) throw new ApiProblem('not_found', { field: 'id' })
      await logged(caller, { action: 'message.open', subject: `message:${id}`, detail: `${row.kind}: ${reason}` })
      const content = isReadable(row) ? (JSON.parse(secrets.open(row.message, sealName)) as typeof nothing) : nothing
      const code = row.kind.startsWith('code:') ? (/\b\d{6}\b/.exec(content.text)?.[0] ?? '') : ''
      return { ...listed(row), address: row.target, subject: content.subject, text: content.text, code }
    },
  }
}
