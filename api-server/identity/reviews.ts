import { type SelectQueryBuilder, sql } from 'kysely'
import { createPeople } from '#api-server/account/people.reads.ts'
import type { Proofs } from '#api-server/account/proof.ts'
import { proofMachine } from '#api-server/identity/identity.rules.ts'
import { opened } from '#api-server/identity/identity.store.ts'
import type { IdentityReviews, ReviewFilter, ReviewRow, ReviewWhole } from '#api-server/identity/review.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Database, type Tables, type Tx, write } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface ReviewsDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  proofs: Pick<Proofs, 'raise' | 'lock'>
  notices: Notices
}

const columns = [
  'id',
  'uid',
  'level as asked',
  'id_type',
  'status',
  'reason',
  'decided_by',
  'created_at',
  'changed_at',
  'number_mark',
] as const
const sameShownMax = 5
const count = sql<number>`count(*)::int`.as('n')
const nameOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)

/** Creates the reviews of identity; see review.ts. */
export function createReviews({ database, clock, secrets, proofs, notices }: ReviewsDeps): IdentityReviews {
  const { db } = database
  const people = createPeople(database)

  async function matching({ status, search }: Pick<ReviewFilter, 'status' | 'search'>) {
    let query = db.selectFrom('verification')
    if (status !== 'all') query = query.where('status', '=', status)
    if (search?.trim()) {
      const uids = await people.find(search)
      query = uids.length ? query.where('uid', 'in', uids) : query.where(sql<boolean>`false`)
    }
    return { query }
  }
  /** For each submission, the other accounts whose document has the same number. */
  async function sameOf(ids: readonly number[], tx?: Tx): Promise<Map<number, ReviewWhole['same_document']>> {
    const same = new Map<number, ReviewWhole['same_document']>(ids.map((id) => [id, []]))
    if (!ids.length) return same
    const { rows } = await sql<ReviewWhole['same_document'][number] & { of: number }>`select v.id as of, other.* from verification v
      cross join lateral (select o.uid, o.id, o.status from (select distinct on (uid) uid, id, status from verification
        where number_mark = v.number_mark and uid <> v.uid order by uid, id desc) o order by o.id desc limit ${sameShownMax}) other
      where v.id in (${sql.join([...ids])}) order by v.id, other.id desc`.execute(tx ?? db)
    for (const { of, ...other } of rows) same.get(of)?.push(other)
    return same
  }
  async function rowsOf(found: Pick<SelectQueryBuilder<Tables, 'verification', object>, 'select'>, tx?: Tx): Promise<ReviewRow[]> {
    const rows = await found.select(columns).execute()
    const of = await people.byIds([...new Set(rows.map(({ uid }) => uid))], tx)
    const same = await sameOf(
      rows.flatMap(({ id, number_mark }) => (number_mark === null ? [] : id)),
      tx,
    )
    return rows.flatMap(({ created_at, changed_at, number_mark: _mark, ...row }) => {
      const person = of.get(row.uid)
      if (!person) return []
      const { nickname, contact, level, demo } = person
      const seen_before = Boolean(same.get(row.id)?.length)
      return [{ ...row, nickname, contact, level, demo, seen_before, created: created_at, changed: changed_at }]
    })
  }
  async function only(id: number, tx?: Tx): Promise<ReviewRow> {
    const [row] = await rowsOf((tx ?? db).selectFrom('verification').where('id', '=', id), tx)
    if (!row) throw new ApiProblem('not_found', { field: 'id' })
    return row
  }

  async function decide(tx: Tx, id: number, decision: 'approve' | 'reject', change: { by: string; reason: string; note: string }) {
    const found = await tx.selectFrom('verification').select(['uid', 'level']).where('id', '=', id).executeTakeFirst()
    if (!found) throw new ApiProblem('not_found', { field: 'id' })
    // Locks the account first, in the order that a submission uses, which avoids a deadlock.
    const { emailBound, mobileBound } = await proofs.lock(tx, found.uid, true)
    const { status } = await tx.selectFrom('verification').select('status').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    const next = proofMachine.next(status, decision)
    if (next !== 'passed' && next !== 'failed') throw new ApiProblem('state_wrong')
    if (next === 'passed' && !(emailBound && mobileBound)) throw new ApiProblem('contacts_unbound')
    const { by, reason, note } = change
    const set = { status: next, reason, note, decided_by: by, changed_at: clock.now() }
    await write(1, tx.updateTable('verification').set(set).where('id', '=', id).where('status', '=', 'reviewing'))
    const word = `${found.level}` as const
    if (next === 'passed') await proofs.raise(tx, found.uid, found.level)
    if (next === 'passed') await notices.notify(tx, found.uid, { kind: 'level_passed', word, figures: {} })
    else await notices.notify(tx, found.uid, { kind: 'level_failed', word, figures: { reason } })
    return only(id, tx)
  }

  return {
    waiting: async () => (await db.selectFrom('verification').select(count).where('status', '=', 'reviewing').executeTakeFirstOrThrow()).n,
    async list(filter) {
      const { page, size, status } = filter
      const { query } = await matching(filter)
      const { n } = await query.select(count).executeTakeFirstOrThrow()
      const ordered = query.orderBy('id', status === 'reviewing' ? 'asc' : 'desc').limit(size)
      return { list: await rowsOf(ordered.offset((page - 1) * size)), total: n }
    },
    async one(id) {
      const row = await only(id)
      const whole = opened(await db.selectFrom('verification').selectAll().where('id', '=', id).executeTakeFirstOrThrow(), secrets)
      const failed = db.selectFrom('verification').select(count)
      const { n } = await failed.where('uid', '=', row.uid).where('status', '=', 'failed').where('id', '<', id).executeTakeFirstOrThrow()
      const pictures = [whole.front, whole.reverse].filter(Boolean).map(nameOf)
      return { ...row, name: whole.name, number: whole.number, pictures, earlier: n, same_document: (await sameOf([id])).get(id) ?? [] }
    },
    approve: (tx, id, by, note = '') => decide(tx, id, 'approve', { by, reason: '', note }),
    async reject(tx, id, by, reason) {
      if (reason.trim() === '') throw new ApiProblem('reason_missing', { field: 'reason' })
      return decide(tx, id, 'reject', { by, reason: reason.trim(), note: '' })
    },
  }
}
