import type { Registry } from 'prom-client'
import type { Proofs } from '#api-server/account/proof.ts'
import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { OfficeHandlers, OfficePorts } from '#api-server/kit/decision.ts'
import type { EarningReads } from '#api-server/kit/earning.ts'
import type { OpenProposals } from '#api-server/kit/proposals.ts'
import type { OpenQueue } from '#api-server/kit/queue.ts'
import type { DefinedTerms, OpenTerms } from '#api-server/kit/terms.ts'
import type { Check, Holds } from '#api-server/ledger/audit/audit.check.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import type { Ledger } from '#api-server/ledger/ledger.ts'
import type { Market } from '#api-server/market/market.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { addMetrics } from '#api-server/ops/metrics.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { CallRow } from '#contract/call.ts'
import type { CallName, contract } from '#contract/contract.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database, Migration } from '#server-kit/db/db.ts'
import type { AnyHandlers } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { every, type PlannedJob, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { TestHook } from '#server-kit/ops/test-hooks.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** The parts of the server that every product may use. A test stage gives its own. */
export interface ProductPorts {
  database: Database
  clock: Clock
  log: Log
  bus: Bus
  /** Registry to which jobs and products add their metrics. */
  registry: Registry
  secrets: Secrets
  ledger: Ledger
  balances: LedgerReads
  once: Idempotency
  coins: CurrencyReads
  market: Market
  /** Prices, candles and the log of ticks. */
  reads: Market['reads']
  trading: Trading
  proofs: Proofs
  /** Tells a customer that something happened. */
  notices: Notices
  /** Prices and the book come from the simulator. */
  simulated: boolean
  /** Programs trade with demonstration money in simulated markets. */
  demonstration: boolean
  /** Refuses new work of a call while no money may move. @throws ApiProblem */
  admit(row: CallRow): void
  /** Balances or records of a customer have changed; called after the commit. */
  changed(uid: number): void
  /**
   * A row of one of the customer's lists has changed; called after the commit. Without the row the apps load the list again.
   * @param uid `all` for a list that is the same for all customers
   */
  rowChanged(uid: number | 'all', topic: TopicName, changed?: ChangedRow): void
  /** Something waits at the back office, or waits no longer; called after the commit. */
  queueChanged(): void
  /** Everything that operators decide through: queues, proposals and terms. */
  office: OfficePorts
}

/** Handlers of calls of the contract, by the names of the calls. */
export type CallHandlers = { readonly [Name in CallName]?: AnyHandlers<typeof contract>[Name] }

/** A module as it runs in one process. */
export interface ModuleParts {
  readonly handlers?: CallHandlers
  /** Figures of this node; they become the metric that the definition names. */
  counts?(): Record<string, number>
  /** Review queues at the back office. */
  readonly queues?: readonly OpenQueue[]
  /** The terms of the definition, opened. */
  readonly terms?: readonly OpenTerms[]
  /** Other changes that need two operators; their checks stand in the definition. */
  readonly proposals?: readonly OpenProposals<never>[]
  /** Further calls of the back office. */
  readonly officeHandlers?: OfficeHandlers
  /** Orders, income and offers of a product that pays an income, for the finance tab. */
  readonly earning?: EarningReads
  /** Calls that only tests make. */
  readonly hooks?: readonly TestHook[]
  /** Jobs that this node repeats; they begin after `start` and end before `stop`. */
  readonly jobs?: readonly PlannedJob[]
  /** Metrics are added to the registry; a promise is awaited. */
  start?(registry: Registry): unknown
  /** Called after the last request was answered; a promise is awaited. */
  stop?(): unknown
}

/** Finds a module that was made before. @throws Error when it comes later in the list, or is not in it */
export type GetModule = <Parts extends ModuleParts>(module: Module<Parts, never>) => Parts

/** A part of the server with tables, calls and jobs of its own. */
export interface Module<Parts extends ModuleParts = ModuleParts, Ports = ProductPorts> {
  readonly name: string
  /** Steps of the database, in their order. */
  readonly migrations: readonly Migration[]
  /** Checks of the audit: they compare rows of the module with the ledger, and, those of its queues and proposals, decisions with their log. */
  readonly checks?: readonly Check[]
  /** The amounts that its rows hold frozen, for check I3. */
  readonly holds?: Holds
  /** Terms that operators keep, as they are defined, with their checks of the audit; `make` opens them. */
  readonly terms?: readonly DefinedTerms[]
  /** The metric that `counts` becomes, and its meaning. */
  readonly metric?: readonly [name: `tessera_${string}`, help: string]
  /** Its calls post nothing to the ledger, so they are admitted while the ledger is broken. */
  readonly whileBroken?: boolean
  make(ports: Ports, get: GetModule): Parts | Promise<Parts>
}

/** Defines a module. It runs once modules.ts lists it. @param definition `migrations` is empty by default */
export const defineModule = <Parts extends ModuleParts, Ports = ProductPorts>(
  name: string,
  definition: Omit<Module<Parts, Ports>, 'name' | 'migrations'> & { migrations?: readonly Migration[] },
): Module<Parts, Ports> => ({ migrations: [], ...definition, name })

/** Parts of the server that run: those of all modules, or the ports that modules stand on. */
export type RunningParts = Pick<ModuleParts, 'jobs' | 'start' | 'stop'>

/** Starts parts in the order of their list, each with its jobs, and stops them in the reverse order. */
export function runParts(parts: readonly RunningParts[], { registry, log }: { registry: Registry; log: Log }) {
  const running = new Map<RunningParts, RepeatedJob[]>()
  return {
    async start(): Promise<void> {
      for (const part of parts) {
        await part.start?.(registry)
        const jobs = (part.jobs ?? []).map(({ name, everyMs, work, atStart }) => {
          const job = every(everyMs, { name, work, log, registry })
          if (atStart) void job.run()
          return job
        })
        running.set(part, jobs)
      }
    },
    async stop(): Promise<void> {
      for (const part of [...parts].reverse()) {
        await Promise.all((running.get(part) ?? []).map((job) => job.stop()))
        await part.stop?.()
      }
    },
  }
}

/** The modules of a list as they run in this process. */
export interface RunningModules {
  get: GetModule
  readonly hooks: readonly TestHook[]
  readonly queues: readonly OpenQueue[]
  readonly terms: readonly OpenTerms[]
  readonly proposals: readonly OpenProposals<never>[]
  readonly officeHandlers: OfficeHandlers
  /** Handlers of all calls, and the calls that are admitted while the ledger is broken. */
  calls(): { handlers: CallHandlers; whileBroken: ReadonlySet<string> }
  /** In the order of the list. */
  start(): Promise<void>
  /** In the reverse order. */
  stop(): Promise<void>
}

/** Makes the modules of a list, one after the other. @throws Error when two answer one call */
export async function makeModules<Ports extends { registry: Registry; log: Log }>(
  list: readonly Module<ModuleParts, Ports>[],
  ports: Ports,
): Promise<RunningModules> {
  const made = new Map<object, ModuleParts>()
  const get: GetModule = (module) => {
    const parts = made.get(module)
    if (!parts) throw new Error(`the module ${module.name} is not made yet: it must stand earlier in the list`)
    return parts as never
  }
  for (const module of list) {
    const parts = await module.make(ports, get)
    made.set(module, parts)
    if (module.metric && parts.counts) addMetrics(ports.registry, module.metric[0], module.metric[1], () => parts.counts!())
  }
  const { start, stop } = runParts([...made.values()], ports)
  return {
    get,
    hooks: [...made.values()].flatMap(({ hooks }) => hooks ?? []),
    queues: [...made.values()].flatMap(({ queues }) => queues ?? []),
    terms: [...made.values()].flatMap(({ terms }) => terms ?? []),
    proposals: [...made.values()].flatMap(({ proposals }) => proposals ?? []),
    officeHandlers: Object.assign({}, ...[...made.values()].map(({ officeHandlers }) => officeHandlers)),
    calls() {
      const handlers: Record<string, unknown> = {}
      const whileBroken = new Set<string>()
      for (const module of list) {
        for (const [call, handler] of Object.entries(made.get(module)!.handlers ?? {})) {
          if (call in handlers) throw new Error(`two modules answer the call ${call}, the second is ${module.name}`)
          handlers[call] = handler
          if (module.whileBroken) whileBroken.add(call)
        }
      }
      return { handlers: handlers as CallHandlers, whileBroken }
    },
    start,
    stop,
  }
}
