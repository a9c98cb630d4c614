import { sql } from 'kysely'
import type { Proofs } from '#api-server/account/proof.ts'
import type { VerificationTable } from '#api-server/identity/identity.migration.ts'
import { proofMachine } from '#api-server/identity/identity.rules.ts'
import { decideVerification, opened } from '#api-server/identity/identity.store.ts'
import { picturesOf } from '#api-server/kit/picture.rules.ts'
import { defineQueue } from '#api-server/kit/queue.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { countOf } from '#server-kit/http/list-bounds.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface IdentityQueueContext {
  database: Database
  secrets: Secrets
  proofs: Pick<Proofs, 'raise'>
  /** After a decision about a customer. */
  decided: (uid: number) => void
}
type Same = { uid: number; id: number; status: VerificationTable['status'] }

const sameShownMax = 5

/** For each submission, the latest other customers whose document has the same number. */
async function sameOf({ database }: IdentityQueueContext, ids: readonly number[], tx?: Tx): Promise<Map<number, Same[]>> {
  const same = new Map<number, Same[]>(ids.map((id) => [id, []]))
  if (!ids.length) return same
  const { rows } = await sql<Same & { of: number }>`select v.id as of, other.* from verification v
    cross join lateral (select o.uid, o.id, o.status from (select distinct on (uid) uid, id, status from verification
      where number_mark = v.number_mark and uid <> v.uid order by uid, id desc) o order by o.id desc limit ${sameShownMax}) other
    where v.id in (${sql.join([...ids])}) order by v.id, other.id desc`.execute(tx ?? database.db)
  for (const { of, ...other } of rows) same.get(of)?.push(other)
  return same
}

/** Submissions of proofs of identity. A level needs both an e-mail address and a mobile number. */
export const identityQueue = defineQueue<IdentityQueueContext, VerificationTable, 'office.verifications', 'office.verification'>({
  subject: 'verification',
  list: 'office.verifications',
  one: 'office.verification',
  rows: sql<VerificationTable>`select * from verification`,
  table: 'verification',
  waiting: ['reviewing'],
  counts: { verifications: ['reviewing'] },
  look: 'identity.look',
  async shown(context, rows, _operator, tx) {
    const marked = rows.flatMap(({ id, number_mark }) => (number_mark === null ? [] : id))
    const same = await sameOf(context, marked, tx)
    return rows.map(({ id, level, id_type, status, reason, decided_by, created_at, changed_at }) => ({
      id,
      asked: level,
      id_type,
      seen_before: Boolean(same.get(id)?.length),
      status,
      reason,
      decided_by,
      created: created_at,
      changed: changed_at,
    }))
  },
  async whole(context, row) {
    const { name, number, front, reverse } = opened(row, context.secrets)
    const { db } = context.database
    const before = db.selectFrom('verification').where('uid', '=', row.uid).where('status', '=', 'failed').where('id', '<', row.id)
    const n = await countOf(db, before)
    const same = await sameOf(context, [row.id])
    return { name, number, pictures: picturesOf([front, reverse].filter(Boolean)), earlier: n, same_document: same.get(row.id) ?? [] }
  },
  steps: {
    'office.verifyApprove': {
      action: 'identity.approve',
      to: ['passed'],
      async work({ context, decision, row, input, standing }) {
        if (proofMachine.next(row.status, 'approve') !== 'passed') throw new ApiProblem('state_wrong')
        if (!(standing.emailBound && standing.mobileBound)) throw new ApiProblem('contacts_unbound')
        const after = await decideVerification(decision, row.id, { status: 'passed', reason: '', note: input.note ?? '' })
        await context.proofs.raise(decision.tx, row.uid, row.level)
        return {
          row: after,
          notice: { kind: 'level_passed', word: `${row.level}`, figures: {} },
        }
      },
    },
    'office.verifyReject': {
      action: 'identity.reject',
      to: ['failed'],
      async work({ decision, row, input: { reason } }) {
        if (proofMachine.next(row.status, 'reject') !== 'failed') throw new ApiProblem('state_wrong')
        return {
          row: await decideVerification(decision, row.id, { status: 'failed', reason, note: '' }),
          notice: { kind: 'level_failed', word: `${row.level}`, figures: { reason } },
        }
      },
    },
  },
  announce: ({ decided: tell }, { uid }) => tell(uid),
  audit: { about: 'an identity', over: 'user', range: 'uid' },
})
