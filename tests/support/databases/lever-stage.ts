import { sql } from 'kysely'
import type { Standing } from '#api-server/account/proof.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { statementTexts } from '#api-server/file-texts.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { createLever, type Lever } from '#api-server/lever/lever.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createMicReads, type MicReads } from '#api-server/mic/mic.reads.ts'
import { migrations } from '#api-server/migrations.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading, type Trading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import type { leverCalls } from '#contract/calls/lever.calls.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import type { ContractTerms } from '#contract/trading.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Handler, UserCaller } from '#server-kit/http/http.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { noticesOn } from '#tests/support/databases/notices.ts'
import { until } from '#tests/support/until.ts'

/** A Friday, 15:00 in London, 10:00 in New York: everything is traded. */
export const leverStart = Date.parse('2026-11-20T15:00:00Z')
type LeverCall = keyof typeof leverCalls

interface LeverStageOptions {
  /** How many processes of the server there are, as far as leases, keys and memory show; they share connections, market and clock. */
  nodes?: number
  startAt?: number
  /** One for each node; without them all nodes share a local one. */
  buses?: readonly Bus[]
  /** Connects it with other stages on the database: one of them runs the price source. Without one it is alone. */
  bus?: Bus
  /** Results of seconds options; without them those of the database. */
  options?: Pick<MicReads, 'days'>
}

/** Contract trading over a whole database and a market whose ticks are pushed, on a clock that stands still unless it is moved. */
export async function openLeverStage(engine: Engine, options: LeverStageOptions = {}) {
  return leverStageOn(await engine.open(migrations), options)
}

export async function leverStageOn(
  database: Database,
  { nodes = 1, startAt = leverStart, buses, options, ...own }: LeverStageOptions = {},
) {
  const log = createLog(process.env.LEVER_LOG ?? 'silent')
  const bus = own.bus ?? createLocalBus(log)
  let now = startAt
  const clock = createSettableClock({ now: () => now })
  const secrets = createSecrets('lever stage')
  await seedCurrencies(database)
  const market = await openMarket({ database, clock, bus, log, source: 'manual', flushEveryMs: 5 })
  const terms = createTradingStore(database)
  await terms.seed(now)
  const trading = await openTrading({ store: terms, reads: market.reads, clock, bus, log })
  const coins = createCurrencyReads({ list: () => listCurrencies(database), clock, lastPrice: () => undefined, quoteAge: () => undefined })
  const ledger = createLedger()
  const balances = createLedgerReads(database)
  const announced: string[] = []
  const { notices } = noticesOn(database, clock)
  /** Customers who are not active; there are no accounts on this stage. */
  const statuses = new Map<number, Standing['status']>()
  const texts = statementTexts()
  const make = (own: Bus = bus, known: Trading = trading): Lever =>
    createLever({
      database,
      clock,
      bus: own,
      log,
      ledger,
      balances,
      coins,
      trading: known,
      texts,
      reads: market.reads,
      options: options ?? createMicReads({ database, coins, trading: known }),
      once: createIdempotency({ database, clock, secrets, log }),
      notices,
      proofs: { standings: async (uids) => new Map(uids.map((uid) => [uid, { status: statuses.get(uid) ?? 'active' } as Standing])) },
      ticks: (ticked) => market.listen({ ticked, closed: () => {} }),
      rowChanged: (_uid, topic, changed) => void announced.push(`${topic} ${changed?.change} ${changed?.row.id} ${changed?.row.status}`),
    })
  const levers = buses?.map((own) => make(own)) ?? Array.from({ length: nodes }, () => make())
  const callerOf = (uid: number, key?: string, lang = 'en'): UserCaller => ({
    lang,
    token: 't',
    agent: '',
    ip: '127.0.0.1',
    user: { uid, session: 's' },
    ...(key !== undefined && { key }),
  })
  const late: Trading[] = []
  let people = 100_000
  let credits = 0

  async function callAt<N extends LeverCall>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    key?: string,
    lang?: string,
  ) {
    const row: CallRow = contract[name]
    const handlers = levers[node]!.handlers as unknown as Record<string, Handler<CallRow>>
    return row.output.parse(await handlers[name]!(row.input.parse(fields), callerOf(uid, key, lang))) as CallOutput<N>
  }
  const text = (amount: string) => amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

  return {
    database,
    market,
    trading,
    terms,
    levers,
    lever: levers[0]!,
    make,
    announced,
    statuses,
    clock,
    balances,
    now: () => now,
    later(ms: number): void {
      now += ms
    },
    /** Waits until a node acts on prices. */
    async started(): Promise<void> {
      for (const lever of levers) await lever.start()
      await until(() => levers.some((lever) => lever.runner.isLive()))
    },
    async stop(): Promise<void> {
      for (const lever of levers) await lever.stop()
      for (const one of [trading, ...late]) await one.stop()
      await market.stop()
    },
    /** One node more, which reads no halts and hours but those of now until it is asked to. */
    async lateNode() {
      const readNow = async () => ({ halts: await terms.halts(), calendars: await terms.calendars() })
      let known = readNow()
      await known
      const store = { ...terms, halts: async () => (await known).halts, calendars: async () => (await known).calendars }
      const hours = await openTrading({ store, reads: market.reads, clock, bus: createLocalBus(log), log })
      late.push(hours)
      const lever = make(bus, hours)
      const node = levers.push(lever) - 1
      return {
        lever,
        node,
        async start(): Promise<void> {
          await lever.start()
          await until(() => lever.runner.isLive())
        },
        async hear(): Promise<void> {
          known = readNow()
          await hours.changed()
        },
        /** From now on it can read nothing. */
        fail(): void {
          known = Promise.reject(new Error('not to be read'))
          known.catch(() => {})
        },
      }
    },
    /** A tick of the market, a second later. */
    tick(price: string, symbol = 'BTCUSDT', afterMs = 1_000): void {
      now += afterMs
      market.manual!.push({ symbol, price })
    },
    /** Waits until all that prices have fired is done. */
    async settled(): Promise<void> {
      await until(() => levers.every((lever) => lever.counts().pending === 0))
    },
    async customer(amount = '1000'): Promise<number> {
      const uid = ++people
      if (amount === '0') return uid
      await database.transaction((tx) =>
        ledger.post(tx, {
          kind: 'credit',
          source: `stage:${process.pid}:${++credits}`,
          uid,
          at: now,
          postings: [
            { account: { platform: 'external_in' }, currency: 3, amount: `-${amount}` },
            { account: { uid, kind: 'lever', part: 'available' }, currency: 3, amount },
          ],
        }),
      )
      return uid
    },
    async setTerms(set: Partial<ContractTerms>, symbol = 'BTCUSDT'): Promise<void> {
      const before = trading.terms('contract', symbol).terms
      await database.transaction((tx) =>
        terms.put(tx, { product: 'contract', symbol, terms: { ...before, ...set }, changed_by: 'test', at: now }),
      )
      await trading.changed()
    },
    async halt(symbol: string, halted: boolean): Promise<void> {
      await database.transaction(async (tx) => {
        if (halted) await terms.halt(tx, { symbol, reason: 'news', halted_by: 'test', at: now })
        else await terms.resume(tx, symbol, now)
      })
      await trading.changed()
    },
    callAt,
    call: <N extends LeverCall>(name: N, uid: number, fields?: Record<string, string>, key?: string, lang?: string) =>
      callAt(0, name, uid, fields, key, lang),
    /** `available/frozen` of USDT in lever. */
    async has(uid: number): Promise<string> {
      const { available, frozen } = await balances.balance(uid, 'lever', 3)
      return [available, frozen].map(text).join('/')
    },
    /** Returns the balance of an account of the house. */
    async house(account: string): Promise<string> {
      const rows = await database.db.selectFrom('ledger_account').select('balance').where('key', 'like', `${account}#%`).execute()
      return text(
        rows
          .reduce((all, { balance }) => all + BigInt(balance.replace('.', '')), 0n)
          .toString()
          .padStart(19, '0')
          .replace(/(\d{18})$/, '.$1'),
      )
    },
  }
}
export type LeverStage = Awaited<ReturnType<typeof leverStageOn>>

/** Waits until so many transactions wait for a lock. */
export const waitingFor = ({ db }: Database, count: number) =>
  until(async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    return rows[0]!.n >= count
  })

/** Locks a position until it is freed. */
export async function holdRow(database: Database, id: number) {
  let wake = () => {}
  const freed = new Promise<void>((done) => {
    wake = done
  })
  let held: Promise<void> = Promise.resolve()
  const { liquidation } = await new Promise<{ liquidation: string | null }>((locked, failed) => {
    held = database.transaction(async (tx) => {
      const asked = tx.selectFrom('lever_position').select('liquidation').where('id', '=', id).forUpdate()
      locked(await asked.executeTakeFirstOrThrow())
      await freed
    })
    held.catch(failed)
  })
  return {
    liquidation,
    async free(): Promise<void> {
      wake()
      await held
    },
  }
}
