import { Registry } from 'prom-client'
import type * as z from 'zod'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import type { OfficeCall, OfficeHandlers } from '#api-server/kit/decision.ts'
import { type Module, type ModuleParts, makeModules, type ProductPorts } from '#api-server/kit/module.ts'
import { proposalHandlers } from '#api-server/kit/proposals.ts'
import { termsHandlers } from '#api-server/kit/terms.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { openMarket } from '#api-server/market/market.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import { openTrading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { type CallName, type CallOutput, contract } from '#contract/contract.ts'
import type { Handler, Operator, UserCaller } from '#server-kit/http/http.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import type { LeverStage } from '#tests/support/databases/lever-stage.ts'
import { officeOn, take } from '#tests/support/databases/office-stage.ts'
import { openWalletStage, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

type AnswerOf<N extends OfficeCall> = z.output<(typeof backOfficeCalls)[N]['output']>

interface KitStageOptions {
  /** How many processes of the server there are, as far as keys show; they share connections, market and clock. */
  nodes?: number
  /** Contract trading whose market, terms and clock it shares; without it, it has its own. */
  of?: Pick<LeverStage, 'market' | 'trading' | 'terms' | 'clock'>
}

/** Products of the kit over a whole database, with prices that only move when they are pushed, on the clock of the wallet stage. */
export const openKitStage = async (engine: Pick<Engine, 'open'>, list: readonly Module[], nodes = 1) =>
  kitStageOn(await openWalletStage(engine, nodes), list, { nodes })

export async function kitStageOn(stage: WalletStage, list: readonly Module[], { nodes = 1, of }: KitStageOptions = {}) {
  const { database, coins, balances, secrets, proofs, notices } = stage
  const clock = of?.clock ?? stage.clock
  const log = createLog('silent')
  const bus = createLocalBus(log)
  const market = of?.market ?? (await openMarket({ database, clock, bus, log, source: 'manual', history: false, flushEveryMs: 2 }))
  const terms = of?.terms ?? createTradingStore(database)
  if (!of) await terms.seed(clock.now())
  const trading = of?.trading ?? (await openTrading({ store: terms, reads: market.reads, clock, bus, log }))
  const announced: string[] = []
  const ports = (): ProductPorts => ({
    database,
    clock,
    log,
    bus,
    registry: new Registry(),
    secrets,
    ledger: createLedger(),
    balances,
    once: createIdempotency({ database, clock, secrets, log }),
    coins,
    market,
    reads: market.reads,
    trading,
    proofs,
    notices,
    simulated: true,
    demonstration: false,
    admit: () => {},
    changed: (uid) => void announced.push(`${uid} balance`),
    rowChanged: (uid, topic, changed) =>
      void announced.push(changed ? `${uid} ${topic} ${changed.change} ${changed.row.status} v${changed.row.version}` : `${uid} ${topic}`),
    queueChanged: () => {},
    office: officeOn({ database, clock, proofs, notices }),
  })
  const running = await Promise.all(Array.from({ length: nodes }, () => makeModules(list, ports())))
  const [first] = running
  const decisions: OfficeHandlers = {
    ...(termsHandlers(ports().office, first!.terms) as OfficeHandlers),
    ...proposalHandlers(ports().office, [...first!.terms.map((terms) => terms.proposals), ...first!.proposals]),
    ...Object.assign({}, ...first!.queues.map((queue) => queue.handlers)),
    ...first!.officeHandlers,
  }
  const handlers = running.map((one) => one.calls().handlers as unknown as Record<string, Handler<CallRow>>)

  /** Validates input and output against the contract's row, as the server does. */
  async function callAt<N extends CallName>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    key?: string,
  ): Promise<CallOutput<N>> {
    const row: CallRow = contract[name]
    const user = { uid, session: 's' }
    const caller: UserCaller = { lang: 'en', token: 't', agent: '', ip: '127.0.0.1', user, ...(key !== undefined && { key }) }
    return row.output.parse(await handlers[node % nodes]![name]!(row.input.parse(fields), caller)) as CallOutput<N>
  }

  /** Two administrators. */
  const walt: Operator = { id: 11, name: 'walt', roles: ['administrator'], fresh: true }
  const rita: Operator = { ...walt, id: 12, name: 'rita' }
  /** A call of an operator, with input and output validated as the server does. */
  async function office<N extends OfficeCall>(name: N, fields: Record<string, string> = {}, by = walt): Promise<AnswerOf<N>> {
    const row: CallRow = backOfficeCalls[name]
    const answer = await take({ handlers: decisions }, name, row.input.parse(fields) as object, by)
    return row.output.parse(answer) as AnswerOf<N>
  }
  /** Pushes a price of bitcoin. For a time that has not come yet the clock goes there and back, as no tick may come from the future. */
  function tick(price: string, time = clock.now()): void {
    const aheadMs = Math.max(0, time - clock.now())
    stage.later(aheadMs)
    market.manual!.push({ symbol: 'BTCUSDT', price, time })
    stage.later(-aheadMs)
  }

  return {
    walt,
    rita,
    office,
    tick,
    stage,
    database,
    market,
    /** Messages to the apps of customers: `<uid> balance`, `<uid> <topic> <change> <status> v<version>`. */
    announced,
    /** Whether a product of the list answers the call. */
    answers: (name: string) => name in handlers[0]!,
    callAt,
    call: <N extends CallName>(name: N, uid: number, fields?: Record<string, string>, key?: string) => callAt(0, name, uid, fields, key),
    /** A product as it runs on a node. */
    parts: <Parts extends ModuleParts>(module: Module<Parts>, node = 0): Parts => running[node]!.get(module),
    async close(): Promise<void> {
      if (of) return
      await trading.stop()
      await market.stop()
    },
  }
}
export type KitStage = Awaited<ReturnType<typeof kitStageOn>>
