import { sql } from 'kysely'
import type { VerificationTable } from '#api-server/identity/identity.migration.ts'
import type { Level } from '#api-server/identity/identity.rules.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

export interface NewVerification {
  uid: number
  level: Level
  id_type: VerificationTable['id_type']
  /** Plain text; the store encrypts it. */
  name: string
  number: string
  front: string
  reverse: string
  created_at: number
}
export type Verification = Omit<VerificationTable, 'name' | 'number' | 'number_mark'> & { name: string; number: string }

interface IdentityStore {
  /** The newest submission of each level. */
  newest(uid: number, tx?: Tx): Promise<Map<Level, Verification>>
  insert(tx: Tx, row: NewVerification): Promise<number>
}

const about = (field: 'name' | 'number', uid: number) => `verification.${field}:${uid}`
/** Decrypts a stored submission. @throws Error when the row was tampered with */
export const opened = (row: VerificationTable, secrets: Secrets): Verification => ({
  ...row,
  name: secrets.open(row.name, about('name', row.uid)),
  number: secrets.open(row.number, about('number', row.uid)),
})

export function createIdentityStore({ db }: Database, secrets: Secrets): IdentityStore {
  return {
    async newest(uid, tx) {
      const rows = await (tx ?? db)
        .selectFrom('verification')
        .distinctOn('level')
        .selectAll()
        .where('uid', '=', uid)
        .orderBy('level')
        .orderBy('id', 'desc')
        .execute()
      return new Map(rows.map((row) => [row.level, opened(row, secrets)]))
    },
    async insert(tx, { name, number, ...row }) {
      const { rows } = await sql<{ id: number }>`select nextval('verification_id')::int as id`.execute(tx)
      const id = rows[0]!.id
      const sealed = { name: secrets.seal(name, about('name', row.uid)), number: secrets.seal(number, about('number', row.uid)) }
      const open = { status: 'reviewing', reason: '', decided_by: '', note: '', changed_at: row.created_at } as const
      const number_mark = secrets.mac('document_number', number).toString('base64url')
      await write(1, tx.insertInto('verification').values({ id, ...row, ...sealed, ...open, number_mark }))
      return id
    },
  }
}

/** Ends the wait of a submission. @throws RowCountError when it does not wait */
export async function decideVerification(
  { tx, by, at }: Decision,
  id: number,
  set: Pick<VerificationTable, 'status' | 'reason' | 'note'>,
): Promise<VerificationTable> {
  const query = tx.updateTable('verification').set({ ...set, decided_by: by, changed_at: at })
  const [after] = await write(1, query.where('id', '=', id).where('status', '=', 'reviewing').returningAll())
  return after!
}
