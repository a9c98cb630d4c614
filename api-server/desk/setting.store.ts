import { type Database, type Tx, write } from '#server-kit/db.ts'

export interface DeskSettings {
  four_eyes_usd: string
  /** Name of who changed it last; empty while nobody has. */
  changed_by: string
  changed: number | null
}

export interface DeskSettingStore {
  /** @param tx reads inside of a change */
  read(tx?: Tx): Promise<DeskSettings>
  /** As `read`, and nobody else changes them until the transaction ends. */
  lock(tx: Tx): Promise<DeskSettings>
  save(tx: Tx, fourEyesUsd: string, by: string, at: number): Promise<void>
}

const name = 'four_eyes_usd'

export function createDeskSettingStore({ db }: Database): DeskSettingStore {
  const row = (from: Database['db']) => from.selectFrom('desk_setting').selectAll().where('name', '=', name)
  const settings = (found: { value: string; changed_by: string; changed_at: number | null }): DeskSettings => ({
    ...{ four_eyes_usd: found.value, changed_by: found.changed_by, changed: found.changed_at },
  })
  return {
    read: async (tx) => settings(await row(tx ?? db).executeTakeFirstOrThrow()),
    lock: async (tx) => settings(await row(tx).forUpdate().executeTakeFirstOrThrow()),
    save: async (tx, value, changed_by, changed_at) =>
      void (await write(1, tx.updateTable('desk_setting').set({ value, changed_by, changed_at }).where('name', '=', name))),
  }
}
