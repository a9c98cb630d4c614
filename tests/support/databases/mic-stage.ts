import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createMic } from '#api-server/mic/mic.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import type { Handler, UserCaller } from '#server-kit/http/http.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { openWalletStage } from '#tests/support/databases/wallet-stage.ts'

/** Seconds options over a whole database, with prices that only move when they are pushed, on the clock of the wallet stage. */
export async function openMicStage(engine: Engine, nodes = 1) {
  const stage = await openWalletStage(engine)
  const { database, clock, coins, balances, secrets, proofs } = stage
  const log = createLog('silent')
  const bus = createLocalBus(log)
  const market = await openMarket({ database, clock, bus, log, source: 'manual', history: false, flushEveryMs: 2 })
  const store = createTradingStore(database)
  await store.seed(clock.now())
  const trading = await openTrading({ store, reads: market.reads, clock, bus, log })
  const told: string[] = []
  const mics = Array.from({ length: nodes }, () =>
    createMic({
      ...{
        database,
        clock,
        log,
        ledger: createLedger(),
        once: createIdempotency({ database, clock, secrets, log }),
        coins,
        trading,
        balances,
      },
      ...{ reads: market.reads, texts: loadTexts('locales', 'statement'), changed: (uid) => void told.push(`${uid} balance`) },
      proofs,
      rowChanged: (uid, topic, changed) =>
        void told.push(`${uid} ${topic} ${changed?.change} ${changed?.row.status} v${changed?.row.version}`),
    }),
  )
  const handlers = mics[0]!.handlers as unknown as Record<string, Handler<CallRow>>
  type MicCall = Extract<keyof typeof contract, `mic.${string}`>

  return {
    ...{ stage, database, market, trading, terms: store, mics, mic: mics[0]!, told },
    tick: (price: string, time?: number) => market.manual!.push({ symbol: 'BTCUSDT', price, ...(time !== undefined && { time }) }),
    settle: () => mics[0]!.settle(),
    async call<N extends MicCall>(
      name: N,
      uid: number,
      fields: Record<string, string> = {},
      { key, lang = 'en' }: { key?: string; lang?: string } = {},
    ): Promise<CallOutput<N>> {
      const row: CallRow = contract[name]
      const caller: UserCaller = {
        ...{ lang, token: 't', agent: '', ip: '127.0.0.1', user: { uid, session: 's' } },
        ...(key !== undefined && { key }),
      }
      return row.output.parse(await handlers[name]!(row.input.parse(fields), caller)) as CallOutput<N>
    },
    async customer(amount = '1000'): Promise<number> {
      const uid = await stage.user()
      if (amount !== '0') await stage.credit(uid, 'USDT', amount, 'micro')
      return uid
    },
    has: (uid: number) => stage.has(uid, 'USDT', 'micro'),
    async close(): Promise<void> {
      await trading.stop()
      await market.stop()
    },
  }
}
export type MicStage = Awaited<ReturnType<typeof openMicStage>>
