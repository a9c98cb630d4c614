import { type Database, write } from '#server-kit/db/db.ts'

export interface FavouritesStore {
  /** Symbols in the order in which they were added. */
  list(uid: number): Promise<string[]>
  /**
   * Replaces the list by the result of `change`; concurrent changes run one after the other. @returns the new list; undefined, without a
   * change, when `change` returns undefined
   */
  change(uid: number, change: (list: readonly string[]) => string[] | undefined): Promise<string[] | undefined>
}

export function createFavouritesStore(database: Database): FavouritesStore {
  return {
    async list(uid) {
      const row = await database.db.selectFrom('favourite').select('symbols').where('uid', '=', uid).executeTakeFirst()
      return row?.symbols ?? []
    },
    change: (uid, change) =>
      database.transaction(async (tx) => {
        const [row] = await write(
          1,
          tx
            .insertInto('favourite')
            .values({ uid, symbols: '[]' })
            .onConflict((conflict) => conflict.column('uid').doUpdateSet({ uid }))
            .returning('symbols'),
        )
        const next = change(row!.symbols)
        if (next)
          await write(
            1,
            tx
              .updateTable('favourite')
              .set({ symbols: JSON.stringify(next) })
              .where('uid', '=', uid),
          )
        return next
      }),
  }
}
