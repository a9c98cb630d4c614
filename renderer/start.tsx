import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt, { type Emitter } from 'mitt'
import { createRoot } from 'react-dom/client'
import type { TopicMessage, TopicTable } from '#contract/topic.ts'
import type { AppDoc } from '#language/documents/documents.ts'
import { loadPerform } from '#renderer/actions/act.ts'
import { type Busy, createBusy } from '#renderer/actions/busy.ts'
import { type Api, type ApiOptions, createApi, type RouteTable } from '#renderer/calls/api.ts'
import { type Config, type ConfigOptions, createConfig } from '#renderer/config/config.ts'
import type { Hears } from '#renderer/config/config-stream.ts'
import { configUrl, fetchOrEarly, firstLocale, storage } from '#renderer/config/early.ts'
import { createSafeMode, type SafeMode } from '#renderer/config/safe-mode.ts'
import { loadScreen, warmScreen } from '#renderer/config/screens.ts'
import { lazy } from '#renderer/core/lazy.ts'
import { createRegistry, type Registry, type Widget } from '#renderer/core/registry.ts'
import { browserClock, createClock } from '#renderer/device/clock.ts'
import { createDevice } from '#renderer/device/device.ts'
import { createI18n } from '#renderer/device/i18n.ts'
import { createSegment } from '#renderer/device/segment.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'
import { watchChunks } from '#renderer/engine/chunk-failed.ts'
import { createEngine } from '#renderer/engine/engine.ts'
import { pathOf } from '#renderer/engine/gate.rules.ts'
import type { Engine, EngineEvents, EnginePorts } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'
import type { Feed } from '#renderer/feed/feed.ts'
import { createLazyFeed } from '#renderer/feed/lazy-feed.ts'
import { inspection } from '#renderer/inspector/allowed.ts'
import { AppRoutes } from '#renderer/react/AppRoutes.tsx'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { chunkLimits } from '#renderer/react/lazyComponent.tsx'
import { NodeBoundary } from '#renderer/react/NodeBoundary.tsx'
import type { View } from '#renderer/react/view.ts'
import '#renderer/reset.css'
import '#renderer/base.css'
import '#renderer/react/engine.css'

/** Composition of an app: every part of the engine is made here and given to the others. */

/** The parts that an app brings. */
export interface AppPorts extends Pick<EnginePorts<View>, 'session' | 'fiat' | 'functions' | 'outcomeCall' | 'uploadCall'> {
  widgets: readonly Widget<View>[]
  /** The calls that anybody may make. */
  calls: RouteTable
  /** The others, fetched with the first of them. */
  customerCalls?: () => Promise<RouteTable>
  topics?: TopicTable
  /** Brings what opens the socket; absent in an app without live prices. */
  feed?: () => Promise<Pick<typeof import('#renderer/feed/feed-page.ts'), 'openFeed'>>
  /** An answer came before the first paint: what it lists may be wanted from the feed. */
  listed?: (feed: Feed, data: unknown, later: (run: () => void, ms: number) => void) => void
  /** Only in development: reports answers and pushed rows that differ from the contract. */
  judge?: () => Promise<{ judgeAnswer(name: string, data: unknown): void; judgeRow(message: TopicMessage): void }>
}

export interface OwnContract {
  calls: RouteTable
  topics: TopicTable
}

/** Replacements for previews, the back office and tests. Empty in the customers' app. */
interface Overrides {
  /** Where documents and words come from, and what a new release waits for. */
  config?: Partial<ConfigOptions>
  /** Calls and topics in place of those of the product, for documents that were written against another contract. */
  contract?: OwnContract
  /** Makes the api from what the app would have made it of. */
  api?: (options: ApiOptions) => Api
  /** False for a page that shows no prices: no connection for them is opened, and none can be lost. */
  feed?: false
  /** The engine is whole and nothing is drawn yet; in place of the inspector. */
  made?: (engine: Engine<View>) => void
  /** Called when the app fails as a whole. With it, nothing is cached, reported or prefetched, and the page is not reloaded. */
  broken?: (problem: unknown) => void
}

/** How long the first screen waits for its data before it shows a skeleton. */
const firstDataMs = 300
/** The same for its document, which is there at once unless the server is in trouble. */
const firstDocumentMs = 1_000
/** When the first screen has been painted for certain, and what it does not need may come. */
const restAfterMs = 1_000
const hourMs = 3_600_000

const later = (run: () => void, ms: number) => void setTimeout(run, ms)
/** Nothing is asked of the feed of an app without one. */
const noFeed = (): Promise<never> => new Promise(() => undefined)
const pause = (ms: number) => new Promise<undefined>((done) => setTimeout(() => done(undefined), ms))

/** The parts that exist before the first release. */
interface Ground {
  bus: Emitter<EngineEvents>
  ports: AppPorts
  registry: Registry<View>
  busy: Busy
  config: Config
  over: Overrides
  /** Something is on screen. Components drawn from then on subscribe to their quotes themselves. */
  drawn: boolean
  broken: (problem: unknown) => void
}

/** Releases are heard of after the first paint. Nobody stops listening. */
function listenLater(hears: Hears): () => void {
  later(() => lazy(() => import('#renderer/config/config-stream.ts')).whenReady(({ listenTo }) => listenTo(hears)), restAfterMs)
  return () => undefined
}

/** Draws the app into `#root` of this page. Never throws: an error is passed to `broken`, or the page tries again by itself. */
export function startApp(ports: AppPorts, over: Overrides = {}): void {
  start(over.feed === false ? { ...ports, feed: undefined } : ports, over).catch(over.broken ?? offerReload)
}

async function start(ports: AppPorts, over: Overrides): Promise<void> {
  // Comes beside the release: the first screen can begin without it.
  void ports.feed?.().catch(() => undefined)
  const [bus, registry, busy] = [mitt<EngineEvents>(), createRegistry<View>(ports.widgets), createBusy()]
  const caps: string = import.meta.env.VITE_CAPS
  const safeMode = await createSafeMode({ storage: storage(), registry, bus, caps, built: !import.meta.env.DEV })
  const config = createConfig({
    baseUrl: configUrl,
    fetch: fetchOrEarly,
    eventSource: (url) => new EventSource(url) as never,
    listen: listenLater,
    caps,
    segment: createSegment(storage()),
    busy,
    ...safeMode,
    ...over.config,
  })
  const broken = over.broken ?? (() => (safeMode.refuse(config) ? location.reload() : offerReload()))
  await show({ ports, bus, registry, busy, config, over, drawn: false, broken }, safeMode).catch(broken)
}

async function show(ground: Ground, safeMode: SafeMode): Promise<void> {
  const { config, over, ports, broken } = ground
  const manifest = await config.load(firstLocale())
  const app = () => config.document('app/app') as AppDoc
  const engine = assemble(ground, manifest.locale, app)

  engine.device.onChange('language', () => {
    const wanted = String(engine.device.get('language') || app().defaultLanguage)
    void engine.i18n.change(wanted).catch(() => engine.ui.toast(engine.say('problem.network_failed'), 'error'))
  })
  watchChunks(engine.problems, window)
  if (ports.feed) engine.feed.start()
  if (import.meta.env.DEV) {
    engine.bus.on('*', (type, event) => console.debug(`[engine] ${type}`, event))
    engine.bus.on('live', (message) => void ports.judge?.().then(({ judgeRow }) => judgeRow(message)))
  }
  const inspect = inspection({
    dev: import.meta.env.DEV,
    constants: app().constants,
    flag: storage()?.getItem(`${storagePrefix}inspect`) ?? null,
    search: location.search,
  })
  // Before the first screen, so that it knows every node. Customers never load it.
  if (over.made) over.made(engine)
  else if (inspect.load) await import('#renderer/inspector/start.ts').then(({ startInspector }) => startInspector(engine, inspect.open))

  const [path = '', query] = location.hash.slice(1).split('?')
  const route = engine.match(path)
  const doc = route && (await Promise.race([loadScreen(engine, route.route.screen).catch(() => undefined), pause(firstDocumentMs)]))
  // Drawn once with its data where the network is quick; after a moment the skeleton is better than nothing.
  if (doc) {
    // A document that cannot be compiled is reported by the screen itself; it must not keep the app from starting.
    const warm = warmScreen(engine, doc, new URLSearchParams(query)).catch(() => undefined)
    // A task of its own, once the calls have left and the feed has said what it wants.
    void (ports.feed?.() ?? Promise.resolve()).catch(() => undefined).then(() => later(() => warmFormats(engine), 0))
    await Promise.race([warm, pause(firstDataMs)])
  }
  ground.drawn = true
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <NodeBoundary subject={engine} stand={() => null} onBroken={broken}>
      <EngineProvider engine={engine}>
        <AppRoutes />
      </EngineProvider>
    </NodeBoundary>,
  )
  engine.session.start()
  // The code that a press needs loads when a finger goes down, and in any case soon after the first paint.
  const early = () => void Promise.all([loadPerform(), engine.loadAccess()]).catch(() => undefined)
  addEventListener('pointerdown', early, { capture: true, once: true })
  if (over.broken) return
  const quiet = pause(restAfterMs)
    .then(() => import('#renderer/after-paint.ts'))
    .then(({ startAfterPaint }) => startAfterPaint(engine))
    .catch(() => undefined)
  safeMode.begin(config, quiet)
}

/** Nearly every screen writes numbers and ages, and what writes them is slow to make: 60 ms on a phone, while there is nothing to do but wait. */
function warmFormats({ bound, clock }: Engine<View>): void {
  const { price, ago } = bound()
  price('1')
  ago(clock.now() - hourMs)
}

function assemble(ground: Ground, locale: string, app: () => AppDoc): Engine<View> {
  const { ports, bus, registry, busy, config, over } = ground
  const { constants } = app()
  chunkLimits.waitMs = Number(constants.chunkTimeoutMs ?? chunkLimits.waitMs)
  const ui = createUi(Number(constants.toastMs ?? 1_500))
  const device = createDevice({
    storage: storage(),
    keys: () => app().device,
    ...(constants.storedVersionResetBelow !== undefined && { resetBelow: Number(constants.storedVersionResetBelow) }),
    onProblem: (problem) => setTimeout(() => engine.problems.tell(problem)),
    events: window,
  })
  const clock = createClock({
    device: browserClock,
    ahead: Number(device.kept('clock')),
    keep: (aheadMs) => device.keep('clock', String(aheadMs)),
  })
  const i18n = createI18n(createInstance(), {
    languages: () => app().languages,
    defaultLanguage: () => app().defaultLanguage,
    language: String(device.get('language') || locale),
    enter: config.setLocale,
    fetchTexts: (_language, area) => config.fetchTexts(area),
  })
  const api: Api = (over.api ?? createApi)({
    baseUrl: '/api',
    ...(over.contract ? { routes: over.contract.calls } : { routes: ports.calls, customerRoutes: ports.customerCalls }),
    token: device.token,
    language: i18n.language,
    agent: `web ${String(constants.appVersion ?? '')}`,
    clock,
    timeoutMs: Number(constants.requestTimeoutMs ?? 60_000),
    heard: (name, data, secret) => {
      if (import.meta.env.DEV) void ports.judge?.().then(({ judgeAnswer }) => judgeAnswer(name, data))
      if (!ground.drawn) ports.listed?.(feed, data, later)
      engine.session.heard(name, data, secret)
    },
    where: () => pathOf(location.hash.slice(1)),
    failed: (problem, secret, from) => {
      if (import.meta.env.DEV && problem.name === 'internal') console.error(`[api] ${problem.msg}`)
      void engine.problems.take(problem, { secret, from })
    },
  })
  const feed = createLazyFeed(async () => (await (ports.feed ?? noFeed)()).openFeed(engine))
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnWindowFocus: true,
        gcTime: 600_000,
        retryDelay: (n) => Math.min(5_000, 1_000 * 2 ** n),
      },
    },
  })
  queries.mount()
  const engine: Engine<View> = createEngine<View>({
    registry,
    busy,
    api,
    config,
    feed,
    i18n,
    device,
    queries,
    bus,
    ui,
    clock,
    exposes: import.meta.env.DEV,
    topics: over.contract?.topics ?? ports.topics ?? {},
    session: ports.session,
    fiat: ports.fiat,
    functions: ports.functions,
    outcomeCall: ports.outcomeCall,
    uploadCall: ports.uploadCall,
  })
  return engine
}

/** No release at all, not even a cached one: the page tries again by itself until there is. */
function offerReload(): void {
  const again = document.createElement('button')
  again.textContent = '↻'
  again.className = 'boot-retry'
  again.setAttribute('aria-label', 'Reload')
  again.addEventListener('click', () => location.reload())
  document.getElementById('root')?.replaceChildren(again)
  setTimeout(() => location.reload(), 5_000)
}
