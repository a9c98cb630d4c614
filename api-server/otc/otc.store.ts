import { type Insertable, type Selectable, sql } from 'kysely'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import type { OtcOfferTable, OtcOrderTable } from '#api-server/otc/otc.migration.ts'
import type { OtcOfferState } from '#contract/calls/office.otc.calls.ts'
import type { OtcOrderState, OtcSide } from '#contract/calls/otc.calls.ts'
import { type Database, type Tx, write } from '#server-kit/db/db.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

export type OtcOffer = Selectable<OtcOfferTable>
export type OtcOrder = Selectable<OtcOrderTable>
const proposed = { taken: '0', status: 'proposed', decided_by: '', closed_by: '' } as const
type NewOffer = Omit<Insertable<OtcOfferTable>, 'id' | 'changed_at' | keyof typeof proposed>
const waiting = { status: 'reviewing', reason: '', decided_by: '', note: '', version: 1 } as const
export type NewOrder = Omit<Insertable<OtcOrderTable>, 'id' | 'changed_at' | keyof typeof waiting>
/** A currency, as far as it is needed here. */
export type Coin = Pick<Currency, 'id' | 'code' | 'scale' | 'status' | 'priceSymbol'>
export interface OrderFilter {
  id?: number | undefined
  status?: OtcOrderState | undefined
  side?: OtcSide | undefined
  from?: number | undefined
  to?: number | undefined
}
export interface Page {
  page: number
  size: number
}

const count = sql<number>`count(*)::int`.as('n')

/** Carries out the decision of an operator about an order. @throws RowCountError when it has another state meanwhile */
export async function decideOrder(
  { tx, by, at }: Decision,
  { id, status, version }: OtcOrder,
  set: { status: 'settled' | 'rejected'; reason?: string; note?: string },
): Promise<OtcOrder> {
  const query = tx.updateTable('otc_order').set({ ...set, decided_by: by, changed_at: at, version: version + 1 })
  const [after] = await write(1, query.where('id', '=', id).where('status', '=', status).returningAll())
  return after!
}

export type OtcStore = ReturnType<typeof createOtcStore>

/** All SQL of OTC. */
export function createOtcStore({ db }: Database) {
  return {
    /** Currencies by id, read in the transaction. */
    async coins(tx: Tx): Promise<Map<number, Coin>> {
      const rows = await tx.selectFrom('currency').select(['id', 'code', 'scale', 'status', 'price_symbol as priceSymbol']).execute()
      return new Map(rows.map((row) => [row.id, row]))
    },
    /** Offers that can be taken, by coin, the best price for the customer first. @param coins those that are traded */
    async takeable(side: OtcSide, coins: readonly number[], now: number, page: Page) {
      const found = db
        .selectFrom('otc_offer')
        .where('status', '=', 'open')
        .where('side', '=', side)
        .where(sql<boolean>`currency_id = any(${coins}::int[]) and quote_id = any(${coins}::int[])`)
        .where((row) => row.or([row('from_at', 'is', null), row('from_at', '<=', now)]))
        .where((row) => row.or([row('until_at', 'is', null), row('until_at', '>', now)]))
        .where(sql<boolean>`whole - taken >= amount_min`)
      const best = side === 'buy' ? 'asc' : 'desc'
      return pageOf(db, found.selectAll().orderBy('currency_id').orderBy('price', best).orderBy('id'), page)
    },
    async offers(status: 'all' | OtcOfferState, page: Page) {
      const all = db.selectFrom('otc_offer')
      const found = status === 'all' ? all : all.where('status', '=', status)
      return pageOf(db, found.selectAll().orderBy('id', 'desc'), page)
    },
    /** Locked when it is read in a transaction. */
    offer(id: number, tx?: Tx): Promise<OtcOffer | undefined> {
      const found = (tx ?? db).selectFrom('otc_offer').selectAll().where('id', '=', id)
      return (tx ? found.forUpdate() : found).executeTakeFirst()
    },
    /** Nobody else makes, changes or locks an offer until the end of the transaction. Reads go on. */
    lockOffers: (tx: Tx) => sql`lock table otc_offer in exclusive mode`.execute(tx),
    /** The last offer that somebody proposed for a side of a coin, in any state. */
    newestOf: (tx: Tx, proposer: number, side: OtcSide, currency: number): Promise<OtcOffer | undefined> =>
      tx
        .selectFrom('otc_offer')
        .selectAll()
        .where('proposed_by_id', '=', proposer)
        .where('side', '=', side)
        .where('currency_id', '=', currency)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** Open offers that somebody proposed. */
    openOf: (tx: Tx, proposer: number): Promise<Pick<OtcOffer, 'id'>[]> =>
      tx.selectFrom('otc_offer').select('id').where('proposed_by_id', '=', proposer).where('status', '=', 'open').orderBy('id').execute(),
    /** Whether another offer that is to replace one waits for a decision. */
    isToBeReplaced: async (tx: Tx, id: number): Promise<boolean> =>
      (await tx.selectFrom('otc_offer').select('id').where('replaces', '=', id).where('status', '=', 'proposed').executeTakeFirst()) !==
      undefined,
    /** @returns undefined when another one that is to replace the same offer waits */
    async propose({ tx }: Decision, row: NewOffer): Promise<number | undefined> {
      const values = { ...row, ...proposed, changed_at: row.created_at }
      const query = tx.insertInto('otc_offer').values(values)
      return (
        await query
          .onConflict((on) => on.doNothing())
          .returning('id')
          .executeTakeFirst()
      )?.id
    },
    move: (
      { tx, at }: Decision,
      { id, status: from }: Pick<OtcOffer, 'id' | 'status'>,
      set: { status: OtcOfferState; decided_by?: string; closed_by?: string },
    ) =>
      write(
        1,
        tx
          .updateTable('otc_offer')
          .set({ ...set, changed_at: at })
          .where('id', '=', id)
          .where('status', '=', from),
      ),
    /** Takes an amount from what is left of an offer, or gives it back with a minus. */
    take: (tx: Tx, id: number, amount: string) =>
      write(
        1,
        tx
          .updateTable('otc_offer')
          .set({ taken: sql`taken + ${amount}::numeric` })
          .where('id', '=', id),
      ),
    /** Orders of an offer that wait and that were settled. */
    async ordersOf(offer: number): Promise<{ waiting: number; settled: number }> {
      const rows = await db.selectFrom('otc_order').select(['status', count]).where('offer_id', '=', offer).groupBy('status').execute()
      const of = (status: OtcOrderState) => rows.find((row) => row.status === status)?.n ?? 0
      return { waiting: of('reviewing'), settled: of('settled') }
    },

    async add(tx: Tx, row: NewOrder): Promise<OtcOrder> {
      const values = { ...row, ...waiting, changed_at: row.created_at }
      return (await write(1, tx.insertInto('otc_order').values(values).returningAll()))[0]!
    },
    order: (id: number, tx?: Tx): Promise<OtcOrder | undefined> =>
      (tx ?? db).selectFrom('otc_order').selectAll().where('id', '=', id).executeTakeFirst(),
    countWaiting: async (uid: number, tx: Tx): Promise<number> =>
      (await tx.selectFrom('otc_order').select(count).where('status', '=', 'reviewing').where('uid', '=', uid).executeTakeFirstOrThrow()).n,
    async orders(uid: number, { id, status, side, from, to }: OrderFilter, page: Page) {
      let found = db.selectFrom('otc_order').where('uid', '=', uid)
      if (id !== undefined) found = found.where('id', '=', id)
      if (status) found = found.where('status', '=', status)
      if (side) found = found.where('side', '=', side)
      if (from !== undefined) found = found.where('created_at', '>=', from)
      if (to !== undefined) found = found.where('created_at', '<', to)
      return pageOf(db, found.selectAll().orderBy('id', 'desc'), page)
    },
    /** @returns undefined when it has another state meanwhile */
    async end(tx: Tx, { id, status, version }: OtcOrder, set: { status: 'cancelled'; changed_at: number }): Promise<OtcOrder | undefined> {
      const query = tx.updateTable('otc_order').set({ ...set, version: version + 1 })
      return query.where('id', '=', id).where('status', '=', status).returningAll().executeTakeFirst()
    },
  }
}
