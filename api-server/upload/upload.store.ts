import { mayBecome, type Purpose, type UploadQuota } from '#api-server/upload/upload.rules.ts'
import type { Database, Tables } from '#server-kit/db.ts'
import { write, writeAny } from '#server-kit/db.ts'

export type UploadRow = Tables['upload']

export interface UploadStore {
  /** Counts a picture of so many bytes against the account's day. @returns false, with nothing counted, when a quota would be passed */
  count(uid: number, day: number, bytes: number, quota: UploadQuota): Promise<boolean>
  insert(row: UploadRow): Promise<void>
  find(name: string): Promise<UploadRow | undefined>
  /** Says what a picture of this account is for. @returns undefined, with nothing changed, when it is not there, another's, or may not become that */
  claim(uid: number, name: string, purpose: Purpose): Promise<UploadRow | undefined>
  /** @param only leaves one that is for something else alone @returns whether it was there */
  remove(name: string, only?: Purpose): Promise<boolean>
  /** Names of drafts from before then, oldest first, at most 100. */
  draftsBefore(time: number): Promise<string[]>
  /** Those of the names that have a row. */
  known(names: readonly string[]): Promise<Set<string>>
}

const draftsAtOnce = 100

export function createUploadStore(database: Database): UploadStore {
  const { db } = database
  return {
    async count(uid, day, bytes, quota) {
      if (bytes > quota.bytesPerDay || quota.picturesPerDay < 1) return false
      return database.transaction(async (tx) => {
        const kept = await tx
          .selectFrom('upload')
          .select(({ fn }) => fn.countAll<string>().as('pictures'))
          .where('uid', '=', uid)
          .executeTakeFirstOrThrow()
        if (Number(kept.pictures) >= quota.picturesKept) return false
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
    insert: async (row) => void (await write(1, db.insertInto('upload').values(row))),
    find: (name) => db.selectFrom('upload').selectAll().where('name', '=', name).executeTakeFirst(),
    claim: (uid, name, purpose) =>
      database.transaction(async (tx) => {
        const row = await tx.selectFrom('upload').selectAll().where('name', '=', name).where('uid', '=', uid).forUpdate().executeTakeFirst()
        if (!row || !mayBecome(row.purpose, purpose)) return undefined
        if (row.purpose !== purpose) await write(1, tx.updateTable('upload').set({ purpose }).where('name', '=', name))
        return { ...row, purpose }
      }),
    async remove(name, only) {
      const one = db.deleteFrom('upload').where('name', '=', name)
      return (await writeAny(only ? one.where('purpose', '=', only) : one)) === 1
    },
    async draftsBefore(time) {
      const rows = await db
        .selectFrom('upload')
        .select('name')
        .where('purpose', '=', 'draft')
        .where('created_at', '<', time)
        .orderBy('created_at')
        .limit(draftsAtOnce)
        .execute()
      return rows.map((row) => row.name)
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
