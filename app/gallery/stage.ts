import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import type { Case } from '#app/gallery/cases.ts'
import { candlesUntil, createStillSocket } from '#app/gallery/prices.ts'
import type { AnyDoc, AppDoc, FormDoc } from '#language/documents/documents.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { systemTimers } from '#renderer/calls/retry.ts'
import type { Config } from '#renderer/config/config.ts'
import { NodeModel } from '#renderer/core/model.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { browserClock, createClock } from '#renderer/device/clock.ts'
import { createDevice } from '#renderer/device/device.ts'
import { createI18n } from '#renderer/device/i18n.ts'
import { createEngine } from '#renderer/engine/engine.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'
import { createFeed } from '#renderer/feed/feed.ts'
import type { View } from '#renderer/widget-api.ts'
import { widgets } from '#widgets/registry.ts'

/** The real engine with documents and texts of this folder and without servers: calls of the gallery are answered here, others fail. */

const documents = import.meta.glob<AnyDoc>(['/schemas/**/*.json', '!/schemas/meta/**'], { eager: true, import: 'default' })
const texts = import.meta.glob<Record<string, unknown>>('/locales/*/*.json', { eager: true, import: 'default' })
const byKey = new Map<string, unknown>(Object.values(documents).map((doc) => [`${doc.kind}/${doc.id}`, doc]))
export const app = () => byKey.get('app/app') as AppDoc

const nothing = () => undefined
const hourMs = 3_600_000

async function answer(name: string): Promise<unknown> {
  switch (name) {
    case 'gallery.loading':
      return new Promise(nothing)
    case 'market.kline':
      return { list: candlesUntil(browserClock.wall(), hourMs, 120) }
    default:
      // A final problem, so that nothing waits for a retry.
      throw new CallProblem(4004, 'not_found', name.startsWith('gallery.') ? '' : 'the gallery has no server')
  }
}

export function createStage(): Engine<View> {
  const clock = createClock({ device: browserClock })
  const feed = createFeed({
    url: '',
    createSocket: createStillSocket,
    clock,
    topics: {},
    timers: systemTimers,
    frame: requestAnimationFrame,
    random: Math.random,
    page: { visible: () => true, onShow: () => nothing, onOnline: () => nothing },
    token: nothing,
  })
  const engine = createEngine<View>({
    registry: createRegistry<View>(widgets),
    api: { call: answer, needsUser: () => false } as never,
    config: {
      document: (key: string) => byKey.get(key),
      fetchDocument: async (key: string) => byKey.get(key),
      current: nothing,
      watch: () => nothing,
    } as unknown as Config,
    feed,
    i18n: createI18n(createInstance(), {
      languages: () => app().languages,
      defaultLanguage: () => app().defaultLanguage,
      language: 'en',
      fetchTexts: async () => ({}),
    }),
    device: createDevice({ storage: undefined, keys: () => app().device, onProblem: nothing, events: window }),
    queries: new QueryClient({ defaultOptions: { queries: { networkMode: 'always', gcTime: Number.POSITIVE_INFINITY } } }),
    bus: mitt<EngineEvents>(),
    ui: createUi(1_500),
    clock,
    topics: {},
  })
  for (const [file, text] of Object.entries(texts)) {
    const [, , language = '', area = ''] = file.replace('.json', '').split('/')
    engine.i18n.addArea(language, area, text)
  }
  engine.bus.on('node-broken', ({ node, reason }) => console.error(`${node} is broken: ${reason}`))
  feed.start()
  // Frames are shown one after the other; loading all views first avoids delays.
  for (const { view } of engine.registry.list) void (view as Partial<{ preload(): Promise<unknown> }>).preload?.()
  return engine
}

/** Puts an old answer into the cache, so that a failing reload leaves stale data on the screen. */
export function ageSource(engine: Engine<View>, one: Case): void {
  for (const { id } of app().languages) {
    engine.queries.setQueryData([`gallery.${one.state}`, { case: one.id }, id], one.example.props ?? {}, { updatedAt: 1 })
  }
}

/** The document of the form around an example. */
export function putForm(one: Case, form: Partial<FormDoc>): void {
  const id = `gallery.${one.id}`
  const submit = { label: 'Send', steps: [] }
  byKey.set(`form/${id}`, { kind: 'form', id, format: 1, fields: [], submit, ...form })
}

const live = new Set<NodeModel>()
const heard = new Set<(model: NodeModel) => void>()

/** Calls `run` for every node that exists now or later. */
export function eachModel(run: (model: NodeModel) => void): () => void {
  for (const model of live) run(model)
  heard.add(run)
  return () => heard.delete(run)
}
NodeModel.watcher = (model, alive) => {
  if (!alive) return void live.delete(model)
  live.add(model)
  for (const run of heard) run(model)
}
