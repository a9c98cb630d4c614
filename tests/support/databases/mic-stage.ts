import { statementTexts } from '#api-server/file-texts.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createMic } from '#api-server/mic/mic.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import type { Handler, UserCaller } from '#server-kit/http/http.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import type { LeverStage } from '#tests/support/databases/lever-stage.ts'
import { openWalletStage, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

interface MicStageOptions {
  /** How many processes of the server there are, as far as keys show; they share connections, market and clock. */
  nodes?: number
  /** Contract trading whose market, terms and clock it shares; without it, it has its own. */
  of?: Pick<LeverStage, 'market' | 'trading' | 'terms' | 'clock'>
  /** Clock of this node and of its market; without it that of the wallet. */
  clock?: Clock
  /** Connects it with other stages on the database: one of them runs the price source. */
  bus?: Bus
}

const upFor60s = { match_id: 'BTCUSDT', currency_id: '3', type: 'up', seconds: '60', number: '100' }

/** Seconds options over a whole database, with prices that only move when they are pushed, on the clock of the wallet stage. */
export const openMicStage = async (engine: Pick<Engine, 'open'>, nodes = 1) => micStageOn(await openWalletStage(engine, nodes), { nodes })

export async function micStageOn(stage: WalletStage, { nodes = 1, of, ...own }: MicStageOptions = {}) {
  const { database, coins, balances, secrets, proofs, notices } = stage
  const clock = of?.clock ?? own.clock ?? stage.clock
  const log = createLog('silent')
  const bus = own.bus ?? createLocalBus(log)
  const market = of?.market ?? (await openMarket({ database, clock, bus, log, source: 'manual', history: false, flushEveryMs: 2 }))
  const store = of?.terms ?? createTradingStore(database)
  if (!of) await store.seed(clock.now())
  const trading = of?.trading ?? (await openTrading({ store, reads: market.reads, clock, bus, log }))
  const announced: string[] = []
  const mics = Array.from({ length: nodes }, () =>
    createMic({
      database,
      clock,
      log,
      ledger: createLedger(),
      once: createIdempotency({ database, clock, secrets, log }),
      coins,
      trading,
      balances,
      reads: market.reads,
      texts: statementTexts(),
      changed: (uid) => void announced.push(`${uid} balance`),
      proofs,
      notices,
      rowChanged: (uid, topic, changed) =>
        void announced.push(`${uid} ${topic} ${changed?.change} ${changed?.row.status} v${changed?.row.version}`),
    }),
  )
  type MicCall = Extract<keyof typeof contract, `mic.${string}`>

  async function callAt<N extends MicCall>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    { key, lang = 'en' }: { key?: string | undefined; lang?: string } = {},
  ): Promise<CallOutput<N>> {
    const handlers = mics[node]!.handlers as unknown as Record<string, Handler<CallRow>>
    const row: CallRow = contract[name]
    const caller: UserCaller = {
      lang,
      token: 't',
      agent: '',
      ip: '127.0.0.1',
      user: { uid, session: 's' },
      ...(key !== undefined && { key }),
    }
    return row.output.parse(await handlers[name]!(row.input.parse(fields), caller)) as CallOutput<N>
  }

  /** Pushes a price. For a time that has not come yet the clock goes there and back, as no tick may come from the future. */
  function tick(price: string, time = stage.now()): void {
    const aheadMs = Math.max(0, time - stage.now())
    stage.later(aheadMs)
    market.manual!.push({ symbol: 'BTCUSDT', price, time })
    stage.later(-aheadMs)
  }
  async function customer(amount = '1000'): Promise<number> {
    const uid = await stage.user()
    if (amount !== '0') await stage.credit(uid, 'USDT', amount, 'micro')
    return uid
  }

  return {
    stage,
    database,
    market,
    trading,
    terms: store,
    mics,
    mic: mics[0]!,
    announced,
    tick,
    customer,
    callAt,
    settle: () => mics[0]!.settle(),
    call: <N extends MicCall>(name: N, uid: number, fields?: Record<string, string>, options?: Parameters<typeof callAt>[4]) =>
      callAt(0, name, uid, fields, options),
    /** A fresh price of 50,000 on a stage where nothing is open, and a customer with 1,000 unless said. */
    async begin(amount?: string): Promise<number> {
      stage.later(600_000)
      await mics[0]!.settle()
      tick('50000')
      return customer(amount)
    },
    /** Opens an option: 100 USDT on a higher price after 60 s, unless said. */
    open: (uid: number, over: Record<string, string> = {}, key?: string) =>
      callAt(0, 'mic.orderOpen', uid, { ...upFor60s, ...over }, key === undefined ? {} : { key }),
    has: (uid: number) => stage.has(uid, 'USDT', 'micro'),
    async close(): Promise<void> {
      if (of) return
      await trading.stop()
      await market.stop()
    },
  }
}
export type MicStage = Awaited<ReturnType<typeof micStageOn>>
