import type { AccountRow } from '#api-server/account/account.migration.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'

export type Contact = Pick<AccountRow, 'email' | 'mobile' | 'lang'>

/** Where customers are written to, by uid; those without an account are absent. */
export const createContacts =
  ({ db }: Database) =>
  async (tx: Tx | undefined, uids: readonly number[]): Promise<Map<number, Contact>> => {
    const columns = ['id', 'email', 'mobile', 'lang'] as const
    const rows = await (tx ?? db)
      .selectFrom('account')
      .select(columns)
      .where('id', 'in', [...new Set(uids)])
      .execute()
    return new Map(rows.map(({ id, ...contact }) => [id, contact]))
  }
