import type { Insertable, Selectable } from 'kysely'
import type { AddressRow } from '#api-server/wallet/wallet.migration.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { countOf, pageOf } from '#server-kit/http/list-bounds.ts'

export type Address = Selectable<AddressRow>
type NewAddress = Omit<Insertable<AddressRow>, 'id'>

/** Saved addresses of customers. Every query includes the owner, so addresses of other customers are not found. */
export interface AddressStore {
  /** @throws unique violation when the customer has saved it already */
  create(tx: Tx, row: NewAddress): Promise<Address>
  count(tx: Tx, uid: number): Promise<number>
  one(uid: number, id: number, tx?: Tx): Promise<Address | undefined>
  /** @returns false when there is no such address */
  remove(uid: number, id: number): Promise<boolean>
  /** Newest first. */
  list(
    uid: number,
    filter: { currency?: number | undefined; chain?: string | undefined },
    page: { page: number; size: number },
  ): Promise<{ rows: Address[]; total: number }>
}

export function createAddressStore({ db }: Database): AddressStore {
  return {
    create: async (tx, row) => (await write(1, tx.insertInto('wallet_address').values(row).returningAll()))[0]!,
    count: (tx, uid) => countOf(tx, tx.selectFrom('wallet_address').where('uid', '=', uid)),
    one: (uid, id, tx) =>
      (tx ?? db).selectFrom('wallet_address').selectAll().where('uid', '=', uid).where('id', '=', id).executeTakeFirst(),
    remove: async (uid, id) => (await writeAny(db.deleteFrom('wallet_address').where('uid', '=', uid).where('id', '=', id))) === 1,
    async list(uid, { currency, chain }, page) {
      let found = db.selectFrom('wallet_address').where('uid', '=', uid)
      if (currency !== undefined) found = found.where('currency_id', '=', currency)
      if (chain !== undefined) found = found.where('chain', '=', chain)
      return pageOf(db, found.selectAll().orderBy('id', 'desc'), page)
    },
  }
}
