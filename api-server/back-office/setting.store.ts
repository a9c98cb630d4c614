import type { Selectable } from 'kysely'
import type { BackOfficeProposalRow } from '#api-server/back-office/back-office.migration.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export interface BackOfficeSettings {
  four_eyes_usd: string
  /** Names of who changed it last; empty while nobody has. */
  changed_by: string
  changed: number | null
}
/** A higher threshold that a second administrator must agree to. */
export type Proposal = Selectable<BackOfficeProposalRow>
type ProposalEnd = Exclude<Proposal['state'], 'open'>

export interface BackOfficeSettingStore {
  /** @param tx reads inside of a change */
  read(tx?: Tx): Promise<BackOfficeSettings>
  /** As `read`, and nobody else changes them until the transaction ends. */
  lock(tx: Tx): Promise<BackOfficeSettings>
  save(tx: Tx, fourEyesUsd: string, by: string, at: number): Promise<void>
  /** That waits; there is one at most. */
  proposal(tx?: Tx): Promise<Proposal | undefined>
  /** After `lock`. */
  propose(tx: Tx, row: Pick<Proposal, 'from_value' | 'to_value' | 'operator_id' | 'operator' | 'at'>): Promise<Proposal>
  /** Ends the one that waits, if any. */
  end(tx: Tx, state: ProposalEnd, by: string, at: number): Promise<void>
}

const name = 'four_eyes_usd'

export function createBackOfficeSettingStore({ db }: Database): BackOfficeSettingStore {
  const row = (from: Database['db']) => from.selectFrom('desk_setting').selectAll().where('name', '=', name)
  const settings = (found: { value: string; changed_by: string; changed_at: number | null }): BackOfficeSettings => ({
    four_eyes_usd: found.value,
    changed_by: found.changed_by,
    changed: found.changed_at,
  })
  return {
    read: async (tx) => settings(await row(tx ?? db).executeTakeFirstOrThrow()),
    lock: async (tx) => settings(await row(tx).forUpdate().executeTakeFirstOrThrow()),
    save: async (tx, value, changed_by, changed_at) =>
      void (await write(1, tx.updateTable('desk_setting').set({ value, changed_by, changed_at }).where('name', '=', name))),
    proposal: (tx) =>
      (tx ?? db).selectFrom('desk_proposal').selectAll().where('name', '=', name).where('state', '=', 'open').executeTakeFirst(),
    async propose(tx, values) {
      const open = { name, state: 'open', decided_by: '', decided_at: null } as const
      const [made] = await write(
        1,
        tx
          .insertInto('desk_proposal')
          .values({ ...values, ...open })
          .returningAll(),
      )
      return made!
    },
    end: async (tx, state, decided_by, decided_at) =>
      void (await writeAny(
        tx.updateTable('desk_proposal').set({ state, decided_by, decided_at }).where('name', '=', name).where('state', '=', 'open'),
      )),
  }
}
