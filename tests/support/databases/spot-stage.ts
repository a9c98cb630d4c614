import { Registry } from 'prom-client'
import { createAccounts } from '#api-server/account/accounts.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { orderTexts } from '#api-server/file-texts.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { runParts } from '#api-server/kit/module.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { createMarketStore } from '#api-server/market/market.store.ts'
import { createSpot } from '#api-server/spot/spot.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallName, type CallOutput, contract } from '#contract/contract.ts'
import type { DepthLevel } from '#contract/feed.ts'
import { type Database, write } from '#server-kit/db/db.ts'
import type { Handler, UserCaller } from '#server-kit/http/http.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { type Clock, systemClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets, type Secrets } from '#server-kit/security/secrets.ts'
import { noticesOn } from '#tests/support/databases/notices.ts'

export const spotCoins = { BTC: 1, ETH: 2, USDT: 3 } as const
type Depth = { bids: DepthLevel[]; asks: DepthLevel[] }

export interface SpotNodeOptions {
  /** Without one it is alone, and needs no lease. */
  bus?: Bus
  /** The book of the price source, where the house offers nothing. */
  marketDepth?: Depth
  /** False: prices are of a real market. */
  simulated?: boolean
  /** Those of another stage on the same database. */
  secrets?: Secrets
  clock?: Clock
}

/** Everything that spot trading needs on one node, over a database that has the tables; prices and the offers of the house are given. */
export async function openSpotNode(
  database: Database,
  { bus, marketDepth = { bids: [], asks: [] }, simulated = true, secrets = createSecrets('spot stage'), ...own }: SpotNodeOptions = {},
) {
  const log = createLog('silent')
  let shift = 0
  const base = own.clock ?? systemClock
  const clock = { now: () => base.now() + shift }
  const ownBus = bus ?? createLocalBus(log)
  await seedCurrencies(database)
  const prices = new Map([
    ['BTCUSDT', '50000'],
    ['ETHUSDT', '2500'],
  ])
  let age = 0
  const offers = new Map<string, Depth>()
  const instruments = new Map((await createMarketStore(database).instruments()).map((one) => [one.symbol, one]))
  const reads = {
    instrument: (symbol: string) => instruments.get(symbol),
    lastPrice: (symbol: string) => {
      const price = prices.get(symbol)
      return price === undefined ? undefined : { tickId: 1, price, time: clock.now() - age }
    },
    quoteAge: (symbol: string) => (prices.has(symbol) ? age : undefined),
  }
  const terms = createTradingStore(database)
  await terms.seed(clock.now())
  const trading = await openTrading({ store: terms, reads, clock, bus: ownBus, log })
  const { notices } = noticesOn(database, clock)
  const accounts = await createAccounts({ database, clock, log, bus: ownBus, secrets, post: { put: async () => {} }, notices, demo: false })
  const coins = createCurrencyReads({ list: () => listCurrencies(database), clock, lastPrice: () => undefined, quoteAge: () => undefined })
  const [ledger, balances] = [createLedger(), createLedgerReads(database)]
  const announced = { rows: [] as string[], changed: [] as number[] }
  const made = createSpot({
    database,
    clock,
    log,
    bus: ownBus,
    ledger,
    balances,
    coins,
    trading,
    proofs: accounts.proofs,
    notices,
    simulated,
    texts: orderTexts(),
    once: createIdempotency({ database, clock, secrets, log }),
    marketDepth: (symbol) => offers.get(symbol) ?? marketDepth,
    lastPrice: (symbol) => prices.get(symbol),
    changed: (uid) => void announced.changed.push(uid),
    rowChanged: (uid, topic, changed) => void announced.rows.push(`${uid} ${topic} ${changed?.change} ${changed?.row.status}`),
  })
  const spot = { ...made, ...runParts([made], { registry: new Registry(), log }) }
  const callerOf = (uid: number, key?: string): UserCaller => ({
    lang: 'en',
    token: 't',
    agent: '',
    ip: '127.0.0.1',
    user: { uid, session: 's' },
    ...(key !== undefined && { key }),
  })
  const handlers = spot.handlers as unknown as Record<string, Handler<CallRow>>
  async function call<N extends CallName>(name: N, uid: number, fields: Record<string, string> = {}, key?: string): Promise<CallOutput<N>> {
    const row: CallRow = contract[name]
    return row.output.parse(await handlers[name]!(row.input.parse(fields), callerOf(uid, key))) as CallOutput<N>
  }
  let credits = 0
  return {
    database,
    spot,
    trading,
    terms,
    announced,
    prices,
    balances,
    call,
    /** Moves the clock of this node; below zero: back. */
    later: (ms: number) => {
      shift += ms
    },
    /** Age of every price. */
    age: (ms: number) => {
      age = ms
    },
    /** Sets the offers of the house from now on, effective at once. */
    async offer(symbol: string, depth: Depth): Promise<void> {
      offers.set(symbol, depth)
      spot.matcher.follow()
      await spot.matcher.idle()
    },
    async user(id: number, status: 'active' | 'frozen' = 'active'): Promise<number> {
      const row = {
        id,
        email: `u${id}@mail.example`,
        mobile: null,
        password_hash: 'x',
        pay_password_hash: 'x',
        nickname: `u${id}`,
        head_portrait: '',
        signature: '',
        credit_score: 100,
        level: 2,
        status,
        lang: 'en',
        invite_code: String(id),
        invited_by: null,
        demo: false,
        withdraw_hold_until: null,
        created_at: clock.now(),
      }
      await write(1, database.db.insertInto('account').values(row))
      return id
    },
    credit: (uid: number, coin: keyof typeof spotCoins, amount: string) =>
      database.transaction((tx) =>
        ledger.post(tx, {
          kind: 'credit',
          source: `stage:${process.pid}:${uid}:${++credits}`,
          uid,
          at: clock.now(),
          postings: [
            { account: { platform: 'external_in' }, currency: spotCoins[coin], amount: `-${amount}` },
            { account: { uid, kind: 'change', part: 'available' }, currency: spotCoins[coin], amount },
          ],
        }),
      ),
    order: (uid: number, text: string, over: Record<string, string> = {}, key?: string) =>
      call('c2c.trade', uid, { ...fieldsOf(text), ...over }, key),
    /** `available/frozen` of one coin. */
    async has(uid: number, coin: keyof typeof spotCoins): Promise<string> {
      const { available, frozen } = await balances.balance(uid, 'change', spotCoins[coin])
      return [available, frozen].map((amount) => amount.replace(/\.?0+$/, '') || '0').join('/')
    },
    async close(): Promise<void> {
      await spot.stop()
      await trading.stop()
    },
  }
}
export type SpotNode = Awaited<ReturnType<typeof openSpotNode>>

/** `buy 1.2 at 50000`, or `sell 1 market`. */
export function fieldsOf(text: string): Record<string, string> {
  const [type = '', amount = '', how = '', price = ''] = text.split(' ')
  return {
    type,
    amount,
    currency_id: '1',
    legal_id: '3',
    tradeType: how === 'at' ? 'limit' : 'market',
    ...(price && { target_price: price }),
  }
}
