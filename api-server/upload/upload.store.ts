import { sql } from 'kysely'
import { dayOf, mayBecome, type Purpose, type UploadQuota } from '#api-server/upload/upload.rules.ts'
import type { Database, Tables, Tx } from '#server-kit/db/db.ts'
import { write, writeAny } from '#server-kit/db/db.ts'

export type UploadRow = Tables['upload']

export interface UploadStore {
  /** Counts a picture towards the account's day. @returns false, with nothing counted, when a quota would be exceeded */
  count(uid: number, day: number, bytes: number, quota: UploadQuota): Promise<boolean>
  /**
   * Stores the row of a counted picture. Calls for one account and day run one after the other, so that together they respect the quota.
   * @returns false, with nothing stored, when a quota of stored pictures would be exceeded
   */
  insert(row: UploadRow, quota: UploadQuota): Promise<boolean>
  find(name: string): Promise<UploadRow | undefined>
  /**
   * Claims a picture of this account for a purpose. @returns undefined, with nothing changed, when there is no such picture of this
   * account, or it may not be claimed for that purpose
   */
  claim(uid: number, name: string, purpose: Purpose, now: number, tx?: Tx): Promise<UploadRow | undefined>
  /** @returns whether the account had this picture */
  remove(uid: number, name: string, tx?: Tx): Promise<boolean>
  /** Removes a picture unless it is claimed. @returns whether it was removed */
  removeUnclaimed(name: string): Promise<boolean>
  /** Names of unclaimed, non-public pictures stored before `time`, oldest first, at most 100. */
  unclaimedBefore(time: number): Promise<string[]>
  /** The distinct keyed hashes of these pictures. */
  marks(names: readonly string[]): Promise<string[]>
  /** Those of the names that have a row. */
  known(names: readonly string[]): Promise<Set<string>>
}

const unclaimedAtOnce = 100
/** Condition for a picture that a record has claimed: see `isReviewed`. */
const isProof = sql<boolean>`(claimed_at is not null and purpose in ('identity', 'proof'))`

export function createUploadStore(database: Database): UploadStore {
  const { db } = database
  async function isFull(tx: Tx, uid: number, quota: UploadQuota): Promise<boolean> {
    const { proofs, others } = await tx
      .selectFrom('upload')
      .select([
        sql<number>`(count(*) filter (where ${isProof}))::int`.as('proofs'),
        sql<number>`(count(*) filter (where not ${isProof}))::int`.as('others'),
      ])
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    return others >= quota.picturesKept || proofs >= quota.proofsKept
  }
  return {
    async count(uid, day, bytes, quota) {
      if (bytes > quota.bytesPerDay || quota.picturesPerDay < 1) return false
      return database.transaction(async (tx) => {
        if (await isFull(tx, uid, quota)) return false
        const counted = await writeAny(
          tx
            .insertInto('upload_day')
            .values({ uid, day, pictures: 1, bytes })
            .onConflict((conflict) =>
              conflict
                .columns(['uid', 'day'])
                .doUpdateSet((row) => ({
                  pictures: row('upload_day.pictures', '+', 1),
                  bytes: row('upload_day.bytes', '+', bytes),
                }))
                .where('upload_day.pictures', '<', quota.picturesPerDay)
                .where('upload_day.bytes', '<=', quota.bytesPerDay - bytes),
            ),
        )
        return counted === 1
      })
    },
    insert: (row, quota) =>
      database.transaction(async (tx) => {
        const { uid, created_at } = row
        await tx.selectFrom('upload_day').select('uid').where('uid', '=', uid).where('day', '=', dayOf(created_at)).forUpdate().execute()
        if (await isFull(tx, uid, quota)) return false
        await write(1, tx.insertInto('upload').values(row))
        return true
      }),
    find: (name) => db.selectFrom('upload').selectAll().where('name', '=', name).executeTakeFirst(),
    claim(uid, name, purpose, now, inside) {
      const take = async (tx: Tx) => {
        const row = await tx.selectFrom('upload').selectAll().where('name', '=', name).where('uid', '=', uid).forUpdate().executeTakeFirst()
        if (!row || !mayBecome(row.purpose, purpose)) return undefined
        const claimed = { purpose, claimed_at: row.claimed_at ?? now }
        if (row.purpose !== purpose || row.claimed_at === null)
          await write(1, tx.updateTable('upload').set(claimed).where('name', '=', name))
        return { ...row, ...claimed }
      }
      return inside ? take(inside) : database.transaction(take)
    },
    remove: async (uid, name, tx) =>
      (await writeAny((tx ?? db).deleteFrom('upload').where('name', '=', name).where('uid', '=', uid))) === 1,
    removeUnclaimed: async (name) =>
      (await writeAny(db.deleteFrom('upload').where('name', '=', name).where('claimed_at', 'is', null))) === 1,
    async unclaimedBefore(time) {
      const rows = await db
        .selectFrom('upload')
        .select('name')
        .where('claimed_at', 'is', null)
        .where('purpose', '<>', 'avatar')
        .where('created_at', '<', time)
        .orderBy('created_at')
        .limit(unclaimedAtOnce)
        .execute()
      return rows.map((row) => row.name)
    },
    async marks(names) {
      if (!names.length) return []
      const rows = await db
        .selectFrom('upload')
        .select('mark')
        .distinct()
        .where('name', 'in', [...names])
        .execute()
      return rows.flatMap(({ mark }) => mark ?? [])
    },
    async known(names) {
      if (!names.length) return new Set()
      const rows = await db
        .selectFrom('upload')
        .select('name')
        .where('name', 'in', [...names])
        .execute()
      return new Set(rows.map((row) => row.name))
    },
  }
}
