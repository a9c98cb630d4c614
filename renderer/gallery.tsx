import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import { createRoot } from 'react-dom/client'
import { HashRouter } from 'react-router-dom'
import type { AnyDoc, AppDoc, ChildDoc, ScreenDoc, Value } from '#language/documents.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import type { Config } from '#renderer/io/config.ts'
import { createDevice } from '#renderer/io/device.ts'
import { createEngine, type EngineEvents } from '#renderer/io/engine.ts'
import { createFeed, type Socket } from '#renderer/io/feed.ts'
import { createI18n } from '#renderer/io/i18n.ts'
import { systemTimers } from '#renderer/io/retry.ts'
import { createUi } from '#renderer/io/ui.ts'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { PromptHost, ToastHost } from '#renderer/react/PromptHost.tsx'
import { ScreenView } from '#renderer/react/ScreenView.tsx'
import type { View } from '#renderer/widget-api.ts'
import { widgets } from '#widgets/registry.ts'
import '#renderer/base.css'
import '#renderer/react/engine.css'
import '#renderer/gallery.css'

/**
 * Development page: every example of every widget, drawn by the real engine over the documents and words of this folder.
 * `/gallery.html?theme=light&lang=ja&widget=row`; without servers, so calls fail and the feed stays silent.
 */
interface Example {
  name: string
  props: Record<string, Value>
  slots?: Record<string, ChildDoc[]>
}
const examples = import.meta.glob<{ examples: Example[] }>('/widgets/*/*.example.json', { eager: true, import: 'default' })
const documents = import.meta.glob<AnyDoc>(['/schemas/**/*.json', '!/schemas/meta/**'], { eager: true, import: 'default' })
const words = import.meta.glob<Record<string, unknown>>('/locales/*/*.json', { eager: true, import: 'default' })

const asked = new URLSearchParams(location.search)
const byKey = new Map(Object.values(documents).map((doc) => [`${doc.kind}/${doc.id}`, doc]))
const app = () => byKey.get('app/app') as AppDoc
const nothing = () => undefined
const silent: Socket = { send: () => undefined, close: () => undefined, addEventListener: () => undefined } as never

const engine = createEngine<View>({
  registry: createRegistry<View>(widgets),
  api: { call: () => Promise.reject(new Error('the gallery has no server')) } as never,
  config: { document: (key: string) => byKey.get(key), current: () => undefined, watch: () => () => undefined } as unknown as Config,
  feed: createFeed({
    url: '',
    createSocket: () => silent,
    now: Date.now,
    timers: systemTimers,
    frame: requestAnimationFrame,
    random: Math.random,
    page: { visible: () => true, onShow: () => nothing, onOnline: () => nothing },
    token: () => undefined,
  }),
  i18n: createI18n(createInstance(), {
    languages: () => app().languages,
    defaultLanguage: () => app().defaultLanguage,
    language: asked.get('lang') ?? 'en',
    fetchTexts: async () => ({}),
  }),
  device: createDevice({ storage: undefined, keys: () => app().device, onProblem: () => undefined, events: window }),
  queries: new QueryClient(),
  bus: mitt<EngineEvents>(),
  ui: createUi({ toastMs: 1_500, later: (run, ms) => void setTimeout(run, ms) }),
  now: Date.now,
})
for (const [file, text] of Object.entries(words)) {
  const [, , language = '', area = ''] = file.replace('.json', '').split('/')
  engine.i18n.addArea(language, area, text)
}
engine.device.set('theme', asked.get('theme') === 'light' ? 'light' : 'dark')
engine.bus.on('node-broken', (event) => console.error('node broken', event))

/** A screen with the one example; what cannot stand alone gets what it needs around it. */
function screenOf(type: string, index: number, example: Example): ScreenDoc {
  const node: ChildDoc = { id: type, widget: type, props: example.props, ...(example.slots && { slots: example.slots }) }
  const button: ChildDoc = { id: 'open', widget: 'button', props: { label: 'Open' }, on: { press: [{ open: type }] } }
  const columns: Value = [{ label: 'Pair' }, { label: 'Price', align: 'end' }, { label: 'Amount', align: 'end' }]
  const table: ChildDoc = { id: 'around', widget: 'table', props: { caption: 'Rows', columns }, slots: { row: [node] } }
  const body = type === 'sheet' ? [button, node] : type === 'table-row' ? [table] : [node]
  return { kind: 'screen', id: `gallery.${type}.${index}`, format: 1, body }
}

function Gallery() {
  const shown = widgets.map((widget) => widget.type).filter((type) => !asked.get('widget') || type === asked.get('widget'))
  return (
    <div className="gallery">
      <h1>Widgets</h1>
      {shown.map((type) => (
        <section key={type} id={type}>
          <h2>{type}</h2>
          {(examples[`/widgets/${type}/${type}.example.json`]?.examples ?? []).map((example, i) => (
            <figure key={example.name}>
              <figcaption>{example.name}</figcaption>
              <div className="frame">
                <ScreenView doc={screenOf(type, i, example)} params={{}} />
              </div>
            </figure>
          ))}
        </section>
      ))}
    </div>
  )
}

createRoot(document.getElementById('root')!).render(
  <EngineProvider engine={engine}>
    <HashRouter>
      <Gallery />
    </HashRouter>
    <ToastHost />
    <PromptHost />
  </EngineProvider>,
)
