import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import { createRoot } from 'react-dom/client'
import routes from '#contract/routes.json'
import type { AppDoc } from '#language/documents.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { type Api, createApi, type Route } from '#renderer/io/api.ts'
import { type Config, createConfig } from '#renderer/io/config.ts'
import { createDevice } from '#renderer/io/device.ts'
import { createEngine, type Engine, type EngineEvents } from '#renderer/io/engine.ts'
import { createFeed } from '#renderer/io/feed.ts'
import { createI18n } from '#renderer/io/i18n.ts'
import { systemTimers } from '#renderer/io/retry.ts'
import { loadScreen, prefetchScreens, warmScreen } from '#renderer/io/screens.ts'
import { createUi } from '#renderer/io/ui.ts'
import { AppRoutes } from '#renderer/react/AppRoutes.tsx'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import type { View } from '#renderer/widget-api.ts'
import { widgets } from '#widgets/registry.ts'
import '#renderer/base.css'
import '#renderer/react/engine.css'

/** Composition root of the app: every part is made here and given to the others. */

/** The wall clock as it stood at the start, carried on by a clock that nobody sets: it never goes back. */
const now = () => performance.timeOrigin + performance.now()

/** How long the first screen waits for its data before it shows a skeleton. */
const firstDataMs = 300

function storage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

/** The language to ask the first manifest for, before the app document says which there are. */
function firstLocale(): string {
  try {
    const kept = JSON.parse(storage()?.getItem('tessera.language') ?? 'null')
    if (typeof kept === 'string' && kept !== '') return kept
  } catch {
    // A corrupt value is as good as none.
  }
  return navigator.language
}

async function start(): Promise<void> {
  const config = createConfig({
    baseUrl: '/config',
    fetch: (url, init) => fetch(url, init),
    eventSource: (url) => new EventSource(url) as never,
    caps: import.meta.env.VITE_CAPS,
    segment: () => 'visitor',
  })
  const manifest = await config.load(firstLocale())
  const app = () => config.document('app/app') as AppDoc
  const engine = assemble(config, manifest.locale, app)

  engine.device.onChange('language', () => {
    const wanted = String(engine.device.get('language') || app().defaultLanguage)
    void engine.i18n.change(wanted).catch(() => engine.ui.toast(engine.say('problem.network_failed'), 'error'))
  })
  engine.feed.on('invalid-message', () => tell(engine, 'socket_message_invalid'))
  engine.feed.start()
  if (import.meta.env.DEV) engine.bus.on('*', (type, event) => console.debug(`[engine] ${type}`, event))

  const [path = '', query] = location.hash.slice(1).split('?')
  const route = engine.match(path)
  const doc = route && (await loadScreen(engine, route.route.screen).catch(() => undefined))
  // Drawn once with its data where the network is quick; after a moment the skeleton is better than nothing.
  if (doc) {
    // A document that cannot be compiled is the screen's own to tell; it must not keep the app from starting.
    const warm = warmScreen(engine, doc, new URLSearchParams(query)).catch(() => undefined)
    await Promise.race([warm, new Promise((done) => setTimeout(done, firstDataMs))])
  }
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <EngineProvider engine={engine}>
      <AppRoutes />
    </EngineProvider>,
  )
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_500))
  setTimeout(() => idle(() => void prefetchScreens(engine)), 1_000)
}

function assemble(config: Config, locale: string, app: () => AppDoc): Engine<View> {
  const bus = mitt<EngineEvents>()
  const { constants } = app()
  const ui = createUi({ toastMs: Number(constants.toastMs ?? 1_500), later: (run, ms) => void setTimeout(run, ms) })
  const device = createDevice({
    storage: storage(),
    keys: () => app().device,
    onProblem: (problem) => setTimeout(() => tell(engine, problem)),
    events: window,
  })
  const i18n = createI18n(createInstance(), {
    languages: () => app().languages,
    defaultLanguage: () => app().defaultLanguage,
    language: String(device.get('language') || locale),
    fetchTexts: async (language, area) => {
      await config.setLocale(language)
      return config.fetchTexts(area)
    },
  })
  const api: Api = createApi({
    baseUrl: '/api',
    routes: routes as unknown as Record<string, Route>,
    token: device.token,
    language: i18n.language,
    agent: `web ${String(constants.appVersion ?? '')}`,
  })
  const feed = createFeed({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    createSocket: (url) => new WebSocket(url),
    now,
    timers: systemTimers,
    frame: (run) => void requestAnimationFrame(run),
    random: Math.random,
    page: {
      visible: () => document.visibilityState === 'visible',
      onShow: (cb) => heard(document, 'visibilitychange', () => document.visibilityState === 'visible' && cb()),
      onOnline: (cb) => heard(window, 'online', cb),
    },
    token: device.token,
  })
  const queries = new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', refetchOnWindowFocus: true, gcTime: 600_000, retryDelay: (n) => Math.min(5_000, 1_000 * 2 ** n) },
    },
  })
  queries.mount()
  const engine: Engine<View> = createEngine<View>({
    registry: createRegistry<View>(widgets),
    api,
    config,
    feed,
    i18n,
    device,
    queries,
    bus,
    ui,
    now,
  })
  return engine
}

function heard(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}

/** A modal with one answer, for what the customer must know and cannot change. */
function tell(engine: Engine<View>, problem: string): void {
  void engine.ui.ask({
    title: engine.say('engine.socket_message_invalid_title'),
    text: engine.say(`problem.${problem}`),
    rows: [],
    danger: false,
    ok: engine.say('engine.ok'),
    cancel: undefined,
  })
}

start().catch(() => {
  // No release at all, not even a kept one: the page tries again by itself until there is.
  const again = document.createElement('button')
  again.textContent = '↻'
  again.className = 'boot-retry'
  again.setAttribute('aria-label', 'Reload')
  again.addEventListener('click', () => location.reload())
  document.getElementById('root')?.replaceChildren(again)
  setTimeout(() => location.reload(), 5_000)
})
