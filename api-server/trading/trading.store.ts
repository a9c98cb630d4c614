import type { Selectable } from 'kysely'
import { createTermsStore } from '#api-server/kit/terms.ts'
import { calendarSeeds, seedTerms } from '#api-server/trading/seeds.ts'
import { type TermsByProduct, type TradeProduct, type TradingCalendar, termsOf, tradeProducts, tradingCalendar } from '#contract/trading.ts'
import { type Database, fixed, type Tables, type Tx, takeTurnIn, write } from '#server-kit/db/db.ts'

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
  /** ms UTC; null: it goes on. */
  ended_at: number | null
}
/** Trading hours of a group from a moment on. */
export interface CalendarVersion {
  group: string
  version: number
  /** Undefined: traded at all times. */
  calendar: TradingCalendar | undefined
  changed_by: string
  at: number
}

type CalendarRow = Selectable<Tables['trading_calendar']>
export type TradingStore = ReturnType<typeof createTradingStore>

const haltsFrom = fixed<Halt>('select * from trading_halt where ended_at is null or ended_at > $1::bigint order by id')
const calendarsFrom = fixed<CalendarRow>(`select * from trading_calendar where at > $1::bigint
  or id in (select max(id) from trading_calendar where at <= $1::bigint group by "group") order by id`)
const versionOf = (row: CalendarRow): CalendarVersion => ({
  ...row,
  calendar: row.calendar === null ? undefined : tradingCalendar.parse(row.calendar),
})

export function createTradingStore(database: Database) {
  const { db } = database
  const stored = createTermsStore(database)
  function read({ product, key, terms, ...row }: Selectable<Tables['terms']>): StoredTerms {
    const of = product as TradeProduct
    return { ...row, product: of, symbol: key, terms: termsOf[of].parse(terms) }
  }
  return {
    /** Terms of a new platform, and calendars, where there are none. */
    seed: (at: number): Promise<void> =>
      database.transaction(async (tx) => {
        await takeTurnIn(database, tx, 'seed')
        if (await tx.selectFrom('terms').select('key').where('product', 'in', tradeProducts).limit(1).executeTakeFirst()) return
        const instruments = await tx.selectFrom('instrument').select(['symbol', 'base', 'group']).execute()
        const terms = instruments
          .flatMap(seedTerms)
          .map(({ symbol, ...row }) => ({ ...row, key: symbol, terms: JSON.stringify(row.terms), version: 1, changed_by: '', at }))
        await write(terms.length, tx.insertInto('terms').values(terms))
        const calendars = Object.entries(calendarSeeds).map(([group, calendar]) => ({
          group,
          version: 1,
          calendar: JSON.stringify(calendar),
          changed_by: '',
          at,
        }))
        await write(calendars.length, tx.insertInto('trading_calendar').values(calendars))
      }),

    /** The terms that count, of every symbol and product. */
    current: async (): Promise<StoredTerms[]> => (await stored.current(tradeProducts)).map(read),

    /** Those that have ended too, oldest first. */
    halts: (): Promise<Halt[]> => db.selectFrom('trading_halt').selectAll().orderBy('id').execute(),

    /** Every version, oldest first. */
    async calendars(tx?: Tx): Promise<CalendarVersion[]> {
      const rows = await (tx ?? db).selectFrom('trading_calendar').selectAll().orderBy('id').execute()
      return rows.map(versionOf)
    },

    /** The halts and hours that count from a moment on, those of the moment included, as they are committed when it is asked. */
    async inForceFrom(tx: Tx, at: number): Promise<{ halts: Halt[]; calendars: CalendarVersion[] }> {
      const [halts, hours] = await Promise.all([haltsFrom(tx, [at]).execute(), calendarsFrom(tx, [at]).execute()])
      return { halts, calendars: hours.map(versionOf) }
    },

    /** Adds a version without a proposal, for tests. @returns its number @throws an error of a unique key when another change came first */
    async put<P extends TradeProduct>(tx: Tx, { symbol, ...row }: Omit<StoredTerms<P>, 'version'>): Promise<number> {
      const version = ((await stored.last(row.product, symbol, tx))?.version ?? 0) + 1
      await stored.add(tx, { ...row, key: symbol, version })
      return version
    },

    /** Ends a halt that goes on: the reason of the new one counts. @throws an error of a unique key when another one halts it at the same time */
    async halt(tx: Tx, row: Omit<Halt, 'ended_at'>): Promise<void> {
      await this.resume(tx, row.symbol, row.at)
      await write(1, tx.insertInto('trading_halt').values({ ...row, ended_at: null }))
    },

    /** @param began of the halt that is to end; left out: whichever goes on @returns the halt that ended; undefined when there is none */
    async resume(tx: Tx, symbol: string, at: number, began?: number): Promise<Halt | undefined> {
      return await tx
        .updateTable('trading_halt')
        .set((of) => ({ ended_at: of.fn<number>('greatest', ['at', of.val(at)]) }))
        .where('symbol', '=', symbol)
        .where('ended_at', 'is', null)
        .$if(began !== undefined, (only) => only.where('at', '=', began!))
        .returningAll()
        .executeTakeFirst()
    },

    /** Adds a version. @throws an error of a unique key when another change came first */
    async setCalendar(tx: Tx, { calendar, ...row }: Omit<CalendarVersion, 'version'>): Promise<void> {
      const last = await tx
        .selectFrom('trading_calendar')
        .select((of) => of.fn.max('version').as('version'))
        .where('group', '=', row.group)
        .executeTakeFirst()
      const version = (last?.version ?? 0) + 1
      await write(1, tx.insertInto('trading_calendar').values({ ...row, version, calendar: calendar ? JSON.stringify(calendar) : null }))
    },
  }
}
