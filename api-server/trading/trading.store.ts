import { calendarSeeds, seedTerms } from '#api-server/trading/seeds.ts'
import { type TermsByProduct, type TradeProduct, type TradingCalendar, termsOf, tradingCalendar } from '#contract/trading.ts'
import { type Database, type Tx, takeTurnIn, write, writeAny } from '#server-kit/db/db.ts'

export interface StoredTerms<P extends TradeProduct = TradeProduct> {
  product: P
  symbol: string
  version: number
  terms: TermsByProduct[P]
  changed_by: string
  at: number
}
export interface Halt {
  symbol: string
  reason: string
  halted_by: string
  at: number
}

export type TradingStore = ReturnType<typeof createTradingStore>

export function createTradingStore(database: Database) {
  const { db } = database
  return {
    /** Terms of a new platform, and calendars, where there are none. */
    seed: (at: number): Promise<void> =>
      database.transaction(async (tx) => {
        await takeTurnIn(database, tx, 'seed')
        if (await tx.selectFrom('trading_terms').select('symbol').limit(1).executeTakeFirst()) return
        const instruments = await tx.selectFrom('instrument').select(['symbol', 'base', 'group']).execute()
        const terms = instruments
          .flatMap(seedTerms)
          .map((row) => ({ ...row, terms: JSON.stringify(row.terms), version: 1, changed_by: '', at }))
        await write(terms.length, tx.insertInto('trading_terms').values(terms))
        const calendars = Object.entries(calendarSeeds).map(([group, calendar]) => ({
          ...{ group, calendar: JSON.stringify(calendar), changed_by: '', at },
        }))
        await write(calendars.length, tx.insertInto('trading_calendar').values(calendars))
      }),

    /** The terms that count, of every symbol and product. */
    async current(): Promise<StoredTerms[]> {
      const rows = await db
        .selectFrom('trading_terms')
        .distinctOn(['product', 'symbol'])
        .selectAll()
        .orderBy('product')
        .orderBy('symbol')
        .orderBy('version', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, terms: termsOf[row.product].parse(row.terms) }) as StoredTerms)
    },

    /** Every version of one symbol, newest first. */
    history: (product: TradeProduct, symbol: string) =>
      db
        .selectFrom('trading_terms')
        .selectAll()
        .where('product', '=', product)
        .where('symbol', '=', symbol)
        .orderBy('version', 'desc')
        .execute(),

    halts: (): Promise<Halt[]> => db.selectFrom('trading_halt').selectAll().execute(),

    async calendars(): Promise<Map<string, TradingCalendar>> {
      const rows = await db.selectFrom('trading_calendar').selectAll().execute()
      return new Map(rows.map(({ group, calendar }) => [group, tradingCalendar.parse(calendar)]))
    },

    /** Adds a version. @returns its number @throws an error of a unique key when another change came first */
    async put<P extends TradeProduct>(tx: Tx, row: Omit<StoredTerms<P>, 'version'>): Promise<number> {
      const last = await tx
        .selectFrom('trading_terms')
        .select((of) => of.fn.max('version').as('version'))
        .where('product', '=', row.product)
        .where('symbol', '=', row.symbol)
        .executeTakeFirst()
      const version = (last?.version ?? 0) + 1
      await write(1, tx.insertInto('trading_terms').values({ ...row, terms: JSON.stringify(row.terms), version }))
      return version
    },

    async halt(tx: Tx, row: Halt): Promise<void> {
      await write(
        1,
        tx
          .insertInto('trading_halt')
          .values(row)
          .onConflict((on) => on.column('symbol').doUpdateSet(row)),
      )
    },

    /** @returns false when it was not halted */
    resume: async (tx: Tx, symbol: string): Promise<boolean> =>
      (await writeAny(tx.deleteFrom('trading_halt').where('symbol', '=', symbol))) === 1,

    async setCalendar(tx: Tx, group: string, calendar: TradingCalendar, changed_by: string, at: number): Promise<void> {
      const row = { calendar: JSON.stringify(calendar), changed_by, at }
      await write(
        1,
        tx
          .insertInto('trading_calendar')
          .values({ group, ...row })
          .onConflict((on) => on.column('group').doUpdateSet(row)),
      )
    },
  }
}
