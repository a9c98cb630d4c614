import { expect, test, vi } from 'vitest'
import type { ExampleFile } from '#app/gallery/cases.ts'
import type { FieldDoc, FormDoc, Json, NodeDoc } from '#language/documents/documents.ts'
import { widgetOf } from '#language/text/shorthand.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import { widgets } from '#widgets/registry.ts'

// Files of a worker share their modules, and some of them replace the engine's hooks: this one wants widgets as they are.
vi.hoisted(() => vi.resetModules())
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
/** The plot of candles needs the canvas of a browser. */
vi.mock('#widgets/candle-chart/Plot.tsx', () => ({ Plot: () => null, Bones: () => null }))
const files = import.meta.glob<ExampleFile>('/widgets/*/*.example.json', { eager: true, import: 'default' })
/** Reads what the source of the screen has not, or not yet. */
const absent = { $: 'data.source.part' }

/** The value with each of its parts absent, one after the other, and the path of the part. Of a list, its first element stands for all. */
function lacking(value: unknown, path = ''): [path: string, value: unknown][] {
  const inside = (name: string | number, part: unknown, put: (other: unknown) => unknown) =>
    lacking(part, `${path}/${name}`).map(([at, other]): [string, unknown] => [at, put(other)])
  if (typeof value !== 'object' || value === null) return [[path, absent]]
  if (Array.isArray(value))
    return [[path, absent], ...value.slice(0, 1).flatMap((part) => inside(0, part, (other) => value.with(0, other)))]
  return [[path, absent], ...Object.entries(value).flatMap(([name, part]) => inside(name, part, (other) => ({ ...value, [name]: other })))]
}
/** The whole of the props is no part of them. */
const lackingIn = (props: object | undefined) => lacking(props ?? {}).slice(1)

/** Nodes that each lack one part of one example, and the forms of those that are fields. */
function casesOf(type: string) {
  const nodes: NodeDoc[] = []
  const documents: Record<string, unknown> = {}
  const names: string[] = []
  const form = (id: string, written: Partial<FormDoc>, props: Record<string, Json>) => {
    const fields = written.fields?.map((field): FieldDoc => {
      const widget = widgetOf(field)
      const cells = field.fields?.map((cell) => ({ ...cell, widget: widgetOf(cell) }))
      const whole = { ...field, widget, ...(cells && { fields: cells }) }
      return widget === type ? { ...whole, props: { ...field.props, ...props } } : whole
    })
    documents[`form/${id}`] = { kind: 'form', id, format: 1, submit: { label: 'Send', steps: [] }, ...written, fields: fields ?? [] }
  }
  for (const { props, slots, form: written } of files[`/widgets/${type}/${type}.example.json`]?.examples ?? []) {
    for (const [path, other] of lackingIn(props) as [string, Record<string, Json>][]) {
      const id = `n${names.push(path) - 1}`
      const isForm = type === 'form'
      if (written) form(id, written, isForm ? {} : other)
      const node: NodeDoc = written
        ? { id, widget: 'form', props: isForm ? { ...other, ...(path !== '/form' && { form: id }) } : { form: id } }
        : { id, widget: type, props: other, ...(slots && { slots }) }
      nodes.push(node)
    }
  }
  return { nodes, documents, pathOf: (id: string) => names[Number(id.slice(1))] ?? id }
}

const answers: [state: string, answer: () => Promise<unknown>][] = [
  ['not here yet', () => new Promise(() => undefined)],
  ['refused', () => Promise.reject(new CallProblem(4004, 'not_found', 'not there'))],
  ['null', async () => ({ part: null })],
  ['left out', async () => ({})],
]

test.each(answers)('no widget breaks while a part of its props is %s', async (_, answer) => {
  const call = (name: string) => (name === 'of.source' ? answer() : Promise.reject(new CallProblem(4004, 'not_found', 'no server')))
  await Promise.all(widgets.map(({ view }) => (view as Partial<{ load(): Promise<unknown> }>).load?.()))
  const broken: string[] = []
  let drawn = 0
  for (const { type } of widgets) {
    const { nodes, documents, pathOf } = casesOf(type)
    const stage = await mountScreen({ widgets, documents, call, doc: { data: { source: { call: 'of.source' } } } })
    stage.engine.bus.on('node-broken', ({ node, reason }) => broken.push(`${type} ${pathOf(node)}: ${reason}`))
    await stage.show({ data: { source: { call: 'of.source' } }, body: nodes })
    await stage.settle()
    drawn += nodes.length
    if (stage.box.querySelector('.broken')) broken.push(`${type}: a broken card`)
    await stage.end()
  }
  expect([...new Set(broken)]).toEqual([])
  expect(drawn).toBeGreaterThan(1_000)
})
