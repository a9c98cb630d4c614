import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import { createRoot } from 'react-dom/client'
import type { AppDoc, ScreenDoc } from '#language/documents.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import type { Config } from '#renderer/io/config.ts'
import { createDevice } from '#renderer/io/device.ts'
import { createEngine, type Engine, type EngineEvents } from '#renderer/io/engine.ts'
import { createFeed } from '#renderer/io/feed.ts'
import { createI18n } from '#renderer/io/i18n.ts'
import { systemTimers } from '#renderer/io/retry.ts'
import { createUi } from '#renderer/io/ui.ts'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { ScreenView } from '#renderer/react/ScreenView.tsx'
import type { View } from '#renderer/widget-api.ts'
import appDoc from '#schemas/app.json'
import themeDoc from '#schemas/theme.json'
import { widgets } from '#widgets/registry.ts'

const none = () => undefined

/**
 * The neutral workload as a screen document, on the real engine with the real registry: a data source, a table, a row node with its own wall for
 * each row. Updates come as pushed row changes, the road that private events take. Windowing is off by the table's documented prop.
 */
interface Spec {
  kind: 'list' | 'form'
  columns: string[]
  rows: Record<string, unknown>[]
}

function screenOf(spec: Spec): ScreenDoc {
  return {
    kind: 'screen',
    id: 'bench.list',
    format: 1,
    data: { rows: { call: 'bench.rows', live: 'rows' } },
    body: [
      {
        id: 'table',
        widget: 'table',
        props: { caption: 'rows', windowed: false, columns: spec.columns.map((label) => ({ label })) },
        slots: {
          row: [
            {
              id: 'row',
              widget: 'table-row',
              repeat: { each: { $: 'data.rows.list' }, key: 'id' },
              props: { price: spec.columns.indexOf('price'), cells: spec.columns.map((column) => ({ $: `item.${column}` })) },
            },
          ],
        },
      },
    ],
  }
}

function engineOf(rows: unknown[]): Engine<View> {
  const documents: Record<string, unknown> = { 'app/app': appDoc, 'theme/theme': themeDoc }
  const config: Config = {
    load: async () => manifest,
    current: () => manifest,
    document: (key) => documents[key],
    fetchDocument: async (key) => documents[key],
    texts: () => ({}),
    fetchTexts: async () => ({}),
    watch: () => () => undefined,
    setLocale: async () => manifest,
  }
  const manifest = { release: 1, hash: '', locale: 'en', documents: {}, texts: {}, inline: {} }
  const app = appDoc as unknown as AppDoc
  return createEngine<View>({
    registry: createRegistry<View>(widgets),
    api: { call: async () => ({ list: rows, total: rows.length }) },
    config,
    device: createDevice({ storage: undefined, keys: app.device, onProblem: () => undefined }),
    feed: createFeed({
      url: '',
      createSocket: () => {
        throw new Error('no feed here')
      },
      now: () => Date.now(),
      timers: systemTimers,
      frame: (run) => void requestAnimationFrame(run),
      random: Math.random,
      page: { visible: () => true, onShow: () => none, onOnline: () => none },
      token: () => undefined,
    }),
    i18n: createI18n(createInstance(), { languages: () => app.languages, defaultLanguage: () => 'en', fetchTexts: async () => ({}) }),
    queries: new QueryClient(),
    bus: mitt<EngineEvents>(),
    ui: createUi({ toastMs: 1_500, later: (run, ms) => void setTimeout(run, ms) }),
    now: () => Date.now(),
  })
}

export default {
  fields: 'input, select',
  input: (name: string) => `#${name}`,
  submit: 'button[type=submit]',
  errors: '.error',
  cells: 'td',
  price: 'td.price',
  mount(el: HTMLElement, spec: Spec) {
    const engine = engineOf(spec.rows)
    createRoot(el).render(
      <EngineProvider engine={engine}>
        <ScreenView doc={screenOf(spec)} params={{}} />
      </EngineProvider>,
    )
    return {
      update: (i: number, price: number) => engine.bus.emit('live', { topic: 'rows', where: ['id', spec.rows[i]?.id], change: { price } }),
    }
  },
}
