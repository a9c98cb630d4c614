import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import type { Row, RowChange } from '#contract/topic.ts'
import { topics } from '#contract/topics.ts'
import type { AppDoc, ScreenDoc } from '#language/documents/documents.ts'
import type { Manifest } from '#language/publish/release.ts'
import { loadPerform } from '#renderer/actions/act.ts'
import { systemTimers } from '#renderer/calls/retry.ts'
import { createRegistry, type Widget } from '#renderer/core/registry.ts'
import { takeTopicMessage } from '#renderer/data/data-live.ts'
import { createClock } from '#renderer/device/clock.ts'
import { createDevice } from '#renderer/device/device.ts'
import { createI18n } from '#renderer/device/i18n.ts'
import { createEngine, noSession } from '#renderer/engine/engine.ts'
import type { Kept } from '#renderer/engine/kept.ts'
import type { EngineEvents, SessionRoot } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'
import { createFeed } from '#renderer/feed/feed.ts'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { ScreenView } from '#renderer/react/ScreenView.tsx'
import type { View } from '#renderer/react/view.ts'

const app = {
  languages: [{ id: 'en', label: 'English', tag: 'en' }],
  defaultLanguage: 'en',
  device: {
    theme: { type: 'string', default: 'dark' },
    colours: { type: 'string', default: 'standard' },
    fiat: { type: 'string', default: 'USD' },
  },
  constants: { clickThrottleMs: 500, pageSize: 2, pageTransitionMs: 120, spinnerAfterMs: 700 },
  fiats: [],
  links: [],
} as unknown as AppDoc
const theme = { dark: {}, light: {}, space: {}, radius: {}, type: {} }

/** The engine on answers that a test gives, mounted on one screen. */
export async function mountScreen(options: {
  widgets: readonly Widget<View>[]
  doc: Partial<ScreenDoc>
  call?: (name: string, args: unknown) => Promise<unknown>
  documents?: Record<string, unknown>
  /** The kept state of the visit. */
  kept?: Kept
  /** The account; without it a visitor. */
  session?: () => SessionRoot
}) {
  await loadPerform()
  // As in a browser, where the clock shows parts of a millisecond.
  const clock = createClock({ device: { wall: () => Date.now() + 0.25, steady: () => performance.now() } })
  const manifest: Manifest = { release: 1, hash: '', locale: 'en', documents: {}, texts: {}, inline: {} }
  const documents: Record<string, unknown> = { 'app/app': app, 'theme/theme': theme, ...options.documents }
  const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  let wake: (topic: string) => void = () => undefined
  const engine = createEngine<View>({
    registry: createRegistry(options.widgets),
    api: { call: options.call ?? (async () => ({})), send: async () => ({}), needsUser: () => false },
    config: {
      load: async () => manifest,
      tickets: () => [],
      current: () => manifest,
      document: (key) => documents[key],
      fetchDocument: async (key) => documents[key],
      texts: () => ({}),
      fetchTexts: async () => ({}),
      watch: () => () => undefined,
      setLocale: async () => manifest,
      check: () => undefined,
      reconsider: async () => undefined,
    },
    device: createDevice({ storage: undefined, keys: app.device, onProblem: () => undefined }),
    feed: createFeed({
      url: '',
      createSocket: () => {
        throw new Error('no feed in this test')
      },
      clock,
      timers: systemTimers,
      frame: (run) => void setTimeout(run),
      random: Math.random,
      page: { visible: () => true, onShow: () => () => undefined, onOnline: () => () => undefined },
      token: () => undefined,
      topics,
    }),
    i18n: createI18n(createInstance(), { languages: () => app.languages, defaultLanguage: () => 'en', fetchTexts: async () => ({}) }),
    queries,
    bus: mitt<EngineEvents>(),
    ui: createUi(1_500),
    clock,
    topics,
    ...(options.session && {
      session: (host) => {
        wake = host.wake
        return { ...noSession(host), root: options.session ?? noSession(host).root }
      },
    }),
  })
  const box = document.createElement('div')
  document.body.append(box)
  const root = createRoot(box, { onCaughtError: () => undefined })
  const show = (doc: Partial<ScreenDoc>, visit = '1', params: Record<string, unknown> = {}) =>
    act(async () => {
      root.render(
        <EngineProvider engine={engine}>
          <ScreenView
            doc={{ kind: 'screen', id: 's', format: 1, body: [], ...doc } as ScreenDoc}
            params={params}
            visit={visit}
            kept={options.kept}
          />
        </EngineProvider>,
      )
    })
  await show(options.doc)
  return {
    engine,
    box,
    show,
    text: () => box.textContent,
    node: (id: string) => box.querySelector<HTMLElement>(`[data-node="${id}"]`),
    press: (id: string) => act(async () => box.querySelector<HTMLElement>(`[data-node="${id}"]`)?.click()),
    /** A part of the session has changed. */
    wake: (topic: string) => act(async () => wake(topic)),
    /** The server announces a change. */
    push: async (message: { topic: string; change?: RowChange; row?: Row }) => {
      await act(async () => takeTopicMessage(engine.queries, message, topics))
      await act(async () => new Promise((done) => setTimeout(done, 5)))
    },
    settle: () => act(async () => new Promise((done) => setTimeout(done, 5))),
    end: () => act(async () => root.unmount()),
  }
}
