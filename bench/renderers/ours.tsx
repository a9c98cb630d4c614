import { QueryClient } from '@tanstack/query-core'
import { createInstance } from 'i18next'
import mitt from 'mitt'
import { createRoot } from 'react-dom/client'
import { table, tableRow } from '#bench/renderers/table.tsx'
import type { TopicTable } from '#contract/topic.ts'
import type { AppDoc, FieldDoc, FormDoc, Logic, ScreenDoc, ValidationDoc } from '#language/documents/documents.ts'
import formWords from '#locales/en/form.json'
import widgetWords from '#locales/en/widget.json'
import type { Config } from '#renderer/config/config.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { takeTopicMessage } from '#renderer/data/data-live.ts'
import { browserClock, createClock } from '#renderer/device/clock.ts'
import { createDevice } from '#renderer/device/device.ts'
import { createI18n } from '#renderer/device/i18n.ts'
import { createEngine } from '#renderer/engine/engine.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'
import { createLazyFeed } from '#renderer/feed/lazy-feed.ts'
import { EngineProvider } from '#renderer/react/EngineProvider.tsx'
import { ScreenView } from '#renderer/react/ScreenView.tsx'
import type { View } from '#renderer/widget-api.ts'
import appDoc from '#schemas/app.json'
import themeDoc from '#schemas/theme.json'
import { checkField } from '#widgets/check-field/check-field.widget.ts'
import { decimalField } from '#widgets/decimal-field/decimal-field.widget.ts'
import { form } from '#widgets/form/form.widget.ts'
import { selectField } from '#widgets/select-field/select-field.widget.ts'
import { textField } from '#widgets/text-field/text-field.widget.ts'

/** Widgets used by the workload. */
const widgets = [checkField, decimalField, form, selectField, table, tableRow, textField]

const none = () => undefined

/**
 * The neutral workload on the engine: the form as a form document, the list as a screen document with a source, a table and one row node
 * per row, each with its own error boundary. Updates are pushed row changes, like those of private topics.
 */
interface ListSpec {
  kind: 'list'
  columns: string[]
  rows: Record<string, unknown>[]
}

interface FormSpec {
  kind: 'form'
  sections: { name: string; title: string; fields: FieldSpec[] }[]
  initial: Record<string, string>
}
interface FieldSpec {
  name: string
  kind: 'text' | 'number' | 'select' | 'checkbox'
  label: string
  required?: boolean
  pattern?: string
  showIf?: string
  options?: { value: string; label: string }[]
}

const fieldKinds = {
  text: { type: 'string', widget: 'text-field' },
  number: { type: 'decimal', widget: 'decimal-field' },
  select: { type: 'enum', widget: 'select-field' },
  checkbox: { type: 'boolean', widget: 'check-field' },
} as const

/** The workload's pattern: three capitals, a dash, four digits. */
const pattern: ValidationDoc = {
  kind: 'validation',
  id: 'bench.pattern',
  format: 1,
  test: {
    and: [
      { '===': [{ len: { var: 'value' } }, 8] },
      { match: [{ substr: [{ var: 'value' }, 0, 3] }, 'letters'] },
      { '===': [{ substr: [{ var: 'value' }, 3, 1] }, '-'] },
      { match: [{ substr: [{ var: 'value' }, 4, 4] }, 'digits'] },
    ],
  } as unknown as Logic,
  message: 'Wrong format',
}

function formOf(spec: FormSpec): FormDoc {
  const fields = spec.sections.flatMap((section): FieldDoc[] =>
    section.fields.map((field) => ({
      name: field.name,
      ...fieldKinds[field.kind],
      label: field.label,
      group: section.name,
      ...(field.required && { required: true }),
      ...(field.pattern && { rules: [pattern.id] }),
      ...(field.showIf && { show: { '===': [{ var: `form.${field.showIf}` }, true] } }),
      ...(field.options && { options: field.options.map(({ value, label }) => ({ id: value, label })) }),
      ...(Object.hasOwn(spec.initial, field.name) && { default: spec.initial[field.name] ?? '' }),
    })),
  )
  return {
    kind: 'form',
    id: 'bench.form',
    format: 1,
    groups: spec.sections.map(({ name, title }) => ({ id: name, title })),
    fields,
    submit: { label: 'Submit', steps: [{ toast: 'Submitted' }] },
  }
}

const formScreen: ScreenDoc = {
  kind: 'screen',
  id: 'bench.form',
  format: 1,
  body: [{ id: 'form', widget: 'form', props: { form: 'bench.form' } }],
}

/** The topic of the list whose rows are pushed. */
const topics: TopicTable = { rows: { about: 'Rows of the list', rows: { call: 'wallet.getRecord', key: 'id', newest: 'last', by: {} } } }

function screenOf(spec: ListSpec): ScreenDoc {
  return {
    kind: 'screen',
    id: 'bench.list',
    format: 1,
    data: { rows: { call: 'wallet.getRecord', live: 'rows' } },
    body: [
      {
        id: 'table',
        widget: 'table',
        props: { caption: 'rows', columns: spec.columns.map((label) => ({ label })) },
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

/** Replaces a config server and an API server. */
const documents: Record<string, unknown> = { 'app/app': appDoc, 'theme/theme': themeDoc, 'validation/bench.pattern': pattern }
let rows: Record<string, unknown>[] = []

function startEngine(): Engine<View> {
  const config: Config = {
    load: async () => manifest,
    tickets: () => [],
    current: () => manifest,
    document: (key) => documents[key],
    fetchDocument: async (key) => documents[key],
    texts: () => ({}),
    fetchTexts: async () => ({}),
    watch: () => () => undefined,
    setLocale: async () => manifest,
    check: none,
    reconsider: async () => undefined,
  }
  const manifest = { release: 1, hash: '', locale: 'en', documents: {}, texts: {}, inline: {} }
  const app = appDoc as unknown as AppDoc
  return createEngine<View>({
    registry: createRegistry<View>(widgets),
    api: { call: async () => ({ list: rows, total: rows.length }), send: async () => ({}), needsUser: () => false },
    config,
    device: createDevice({ storage: undefined, keys: app.device, onProblem: () => undefined }),
    // As in the app, the feed's code is loaded later; here nothing starts it.
    feed: createLazyFeed(() => Promise.reject(new Error('no feed here'))),
    i18n: createI18n(createInstance(), { languages: () => app.languages, defaultLanguage: () => 'en', fetchTexts: async () => ({}) }),
    queries: new QueryClient(),
    bus: mitt<EngineEvents>(),
    ui: createUi(1_500),
    clock: createClock({ device: browserClock }),
    topics,
  })
}

/** The app loads the widgets of a screen before it opens the screen. */
const drawnWith = ['form', ...Object.values(fieldKinds).map(({ widget }) => widget)]
const preload = (type: string) =>
  (widgets.find((widget) => widget.type === type)?.view as { load?: () => Promise<unknown> } | undefined)?.load?.()

/** As in the app, the engine starts once, before the first screen; a screen's parts are created when it is mounted. */
const engine = startEngine()
engine.i18n.addArea('en', 'form', formWords)
engine.i18n.addArea('en', 'widget', widgetWords)

export default {
  ready: Promise.all(drawnWith.map(preload)),
  fields: 'input, select',
  input: (name: string) => `#form-${name}`,
  submit: 'button[type=submit]',
  errors: 'p[data-level=error]',
  cells: 'td',
  price: 'td.price',
  mount(el: HTMLElement, spec: ListSpec | FormSpec) {
    if (spec.kind === 'list') rows = spec.rows
    else documents['form/bench.form'] = formOf(spec)
    createRoot(el).render(
      <EngineProvider engine={engine}>
        <ScreenView doc={spec.kind === 'form' ? formScreen : screenOf(spec)} params={{}} />
      </EngineProvider>,
    )
    return {
      update(i: number, price: number) {
        takeTopicMessage(engine.queries, { topic: 'rows', change: 'update', row: { id: rows[i]?.id, price } }, engine.topics)
      },
    }
  },
}
