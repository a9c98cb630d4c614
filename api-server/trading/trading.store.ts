import type { Selectable } from 'kysely'
import { calendarSeeds, seedTerms } from '#api-server/trading/seeds.ts'
import type { TradingProposalRow } from '#api-server/trading/trading.migration.ts'
import { type TermsByProduct, type TradeProduct, type TradingCalendar, termsOf, tradingCalendar } from '#contract/trading.ts'
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

export type TradingProposal = Selectable<TradingProposalRow>
/** The subject of a proposal: the terms of a symbol in a product, or the trading hours of a group. */
export type TradingSubject = { product: TradeProduct; symbol: string } | { group: string }
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
  const read = (row: Selectable<Tables['trading_terms']>) => ({ ...row, terms: termsOf[row.product].parse(row.terms) }) as StoredTerms
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
          group,
          version: 1,
          calendar: JSON.stringify(calendar),
          changed_by: '',
          at,
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
      return rows.map(read)
    },

    /** Every version of one symbol, newest first. */
    async history(product: TradeProduct, symbol: string): Promise<StoredTerms[]> {
      const rows = await db
        .selectFrom('trading_terms')
        .selectAll()
        .where('product', '=', product)
        .where('symbol', '=', symbol)
        .orderBy('version', 'desc')
        .execute()
      return rows.map(read)
    },

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

    /** The change that waits for a second administrator; locked when it is read in a transaction. */
    async proposal(about: TradingSubject, tx?: Tx): Promise<TradingProposal | undefined> {
      const open = (tx ?? db)
        .selectFrom('trading_proposal')
        .selectAll()
        .where((of) => of.and(about))
        .where('state', '=', 'open')
      return (tx ? open.forUpdate() : open).executeTakeFirst()
    },
    proposalById: (tx: Tx, id: number): Promise<TradingProposal | undefined> =>
      tx.selectFrom('trading_proposal').selectAll().where('id', '=', id).where('state', '=', 'open').forUpdate().executeTakeFirst(),
    openProposals: (): Promise<TradingProposal[]> => db.selectFrom('trading_proposal').selectAll().where('state', '=', 'open').execute(),
    /** @throws an error of a unique key when one is open already */
    async propose(
      tx: Tx,
      about: TradingSubject,
      row: Pick<TradingProposal, 'version' | 'operator_id' | 'operator' | 'at'> & { terms: object | null },
    ): Promise<void> {
      const open = { product: null, symbol: null, group: null, ...about, state: 'open', decided_by: '', decided_at: null } as const
      await write(1, tx.insertInto('trading_proposal').values({ ...row, terms: JSON.stringify(row.terms), ...open }))
    },
    async endProposal(
      tx: Tx,
      id: number,
      state: 'agreed' | 'refused' | 'withdrawn',
      decided_by: string,
      decided_at: number,
    ): Promise<void> {
      await write(
        1,
        tx.updateTable('trading_proposal').set({ state, decided_by, decided_at }).where('id', '=', id).where('state', '=', 'open'),
      )
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
