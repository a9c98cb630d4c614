import type { QuoteRow } from '#api-server/wallet/wallet.migration.ts'
import { type Database, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

type NewTransfer = Omit<Tables['wallet_transfer'], 'id'>
type NewExchange = Omit<Tables['wallet_exchange'], 'id'>

/** Quotes are kept this long, so that an expired quote can be distinguished from an unknown one. */
export const quoteKeptMs = 3_600_000

/** Transfers between accounts, exchanges and their quotes. */
export interface MovesStore {
  /** @returns number of the transfer */
  transfer(tx: Tx, row: NewTransfer): Promise<number>
  /** Newest first. */
  transfers(
    uid: number,
    currency: number | undefined,
    page: { page: number; size: number },
  ): Promise<{ rows: (NewTransfer & { id: number })[]; total: number }>
  /** Stores a quote and removes expired quotes of the same customer. */
  quote(row: Omit<QuoteRow, 'used_at'>): Promise<void>
  /** Removes quotes older than `before`, oldest first, at most `most`. @returns the number of removed quotes */
  removeQuotes(before: number, most: number): Promise<number>
  /** Reads a quote with a row lock until the end of the transaction. */
  lockQuote(tx: Tx, uid: number, id: string): Promise<QuoteRow | undefined>
  /** Stores an exchange and marks its quote as used. @returns number of the exchange */
  exchange(tx: Tx, row: NewExchange): Promise<number>
}

const transferred = fixed<{ id: number }>(`insert into wallet_transfer (uid, currency_id, from_kind, to_kind, amount, created_at)
  values ($1, $2, $3, $4, $5, $6) returning id`)

export function createMovesStore(database: Database): MovesStore {
  const { db } = database
  return {
    async transfer(tx, { uid, currency_id, from_kind, to_kind, amount, created_at }) {
      return (await write(1, transferred(tx, [uid, currency_id, from_kind, to_kind, amount, created_at])))[0]!.id
    },
    async transfers(uid, currency, page) {
      let found = db.selectFrom('wallet_transfer').where('uid', '=', uid)
      if (currency !== undefined) found = found.where('currency_id', '=', currency)
      return pageOf(db, found.selectAll().orderBy('id', 'desc'), page)
    },
    quote: (row) =>
      database.transaction(async (tx) => {
        const before = row.created_at - quoteKeptMs
        await writeAny(tx.deleteFrom('wallet_quote').where('uid', '=', row.uid).where('created_at', '<', before))
        await write(1, tx.insertInto('wallet_quote').values({ ...row, used_at: null }))
      }),
    removeQuotes: (before, most) =>
      writeAny(
        db
          .deleteFrom('wallet_quote')
          .where('id', 'in', (from) =>
            from.selectFrom('wallet_quote').select('id').where('created_at', '<', before).orderBy('created_at').limit(most),
          ),
      ),
    lockQuote: (tx, uid, id) =>
      tx.selectFrom('wallet_quote').selectAll().where('uid', '=', uid).where('id', '=', id).forUpdate().executeTakeFirst(),
    async exchange(tx, row) {
      await write(
        1,
        tx.updateTable('wallet_quote').set({ used_at: row.created_at }).where('id', '=', row.quote_id).where('used_at', 'is', null),
      )
      return (await write(1, tx.insertInto('wallet_exchange').values(row).returning('id')))[0]!.id
    },
  }
}
