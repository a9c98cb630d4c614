import { act } from 'react'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { Logic, NodeDoc, ScreenDoc, Step } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import type { EngineEvents } from '#renderer/engine/types.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import { fieldOf, formDoc, widgets as formWidgets } from '#renderer/react/forms/form-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const box = defineWidget({
  type: 'box',
  props: z.object({}),
  slots: { body: {} },
  view: ({ root, slots }: ViewProps<object, never, 'body'>) => <div {...root}>{slots.body.all()}</div>,
})
/** Draws its own empty state, as most lists do. */
const bag = defineWidget({
  type: 'bag',
  props: z.object({ of: z.any(), fixed: z.string().optional() }),
  events: ['press'],
  states: { loading: 'self', error: 'self', empty: { prop: 'of', by: 'self' } },
  view: ({ root, props, emit }: ViewProps<{ of: unknown; fixed?: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press')}>
      {props.fixed}
      {Array.isArray(props.of) ? (props.of.length === 0 ? 'nothing here' : `${props.of.length} rows`) : `it is ${String(props.of)}`}
    </button>
  ),
})
const error = defineWidget({
  type: 'error',
  props: z.object({ text: z.string().optional(), code: z.string().optional() }),
  view: ({ root, props }: ViewProps<{ text?: string; code?: string }>) => <p {...root}>{`${props.text} [${props.code}]`}</p>,
})
const widgets = [box, bag, error, ...formWidgets] as readonly Widget<View>[]
const loud = 'too_much_data [too_much_data]'
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))

async function open(doc: Partial<ScreenDoc>, documents: Record<string, unknown> = {}) {
  const at = await mountScreen({ widgets, doc, documents })
  const reported: EngineEvents['node-stopped'][] = []
  at.engine.bus.on('node-stopped', (event) => reported.push(event))
  return { ...at, reported }
}
const list = { var: 'state.rows' }
const more = { '>': [{ var: 'id' }, 0] }
const grow = (count: number): NodeDoc => ({
  id: `to-${count}`,
  widget: 'bag',
  props: { of: 0 },
  on: { press: [{ set: { 'state.rows': rows(count) as never } }] },
})

test.each<[string, Logic, string]>([
  ['filter', { filter: [list, more] }, '1000 rows'],
  ['map', { map: [list, { var: 'id' }] }, '1000 rows'],
  ['find', { find: [list, { '===': [{ var: 'id' }, 9] }, 'id'] }, 'it is 9'],
  ['reduce', { reduce: [list, { '+': [{ var: 'accumulator' }, { var: 'current.id' }] }, 0] }, 'it is 500500'],
  ['map of filter', { map: [{ filter: [list, more] }, { var: 'id' }] }, '1000 rows'],
  ['first of filter', { first: [{ filter: [list, more] }, 3] }, '3 rows'],
])('%s shows its answer for 1,000 rows, and a sentence with a code for 1,001', async (_, logic, right) => {
  const node: NodeDoc = { id: 'it', widget: 'bag', props: { fixed: '= ', of: { $: logic } } }
  const at = await open({ state: { rows: rows(1_000) as never }, body: [node, grow(1_001), grow(1_000)] })
  const text = () => at.node('it')?.textContent
  expect([text(), at.reported]).toEqual([`= ${right}`, []])
  await at.press('to-1001')
  expect([text(), at.reported]).toEqual([loud, [{ screen: 's', node: 'it', what: 'of', reason: 'items' }]])
  await at.press('to-1000')
  expect(text()).toBe(`= ${right}`)
  await at.end()
})

test('an expression that runs out of steps does so too', async () => {
  const long: Logic = { filter: [list, { or: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => ({ '===': [{ var: 'id' }, -n] })) }] }
  const at = await open({ state: { rows: rows(1_000) as never }, body: [{ id: 'it', widget: 'bag', props: { of: { $: long } } }] })
  expect(at.node('it')?.textContent).toBe(loud)
  await at.end()
})

test('a part whose condition is stopped says so in its place, and its neighbours go on', async () => {
  const show: Logic = { some: [list, { '===': [{ var: 'id' }, 1] }] }
  const at = await open({
    state: { rows: rows(1_000) as never },
    body: [{ id: 'it', widget: 'bag', props: { of: 1 }, show }, grow(1_001)],
  })
  expect(at.node('it')?.textContent).toBe('it is 1')
  await at.press('to-1001')
  expect([at.node('it')?.textContent, at.node('to-1001')?.textContent, at.reported]).toEqual([
    loud,
    'it is 0',
    [{ screen: 's', node: 'it', what: 'show', reason: 'items' }],
  ])
  await at.end()
})

test.each<[string, Logic, number, number]>([
  ['a computed list', { filter: [list, more] }, 2, 1_001],
  ['a plain list', list, 2, 10_001],
])('a repeat over %s that is too long stands as an error where its rows would stand', async (_, each, few, many) => {
  const row: NodeDoc = { id: 'row', widget: 'bag', props: { of: { $: 'item.id' } }, repeat: { each: { $: each } as never, key: 'id' } }
  const at = await open({
    state: { rows: rows(few) as never },
    body: [{ id: 'box', widget: 'box', slots: { body: [row] } }, grow(many), grow(few)],
  })
  const text = () => at.node('box')?.textContent
  expect(text()).toBe('it is 1it is 2')
  await at.press(`to-${many}`)
  expect([text(), at.reported]).toEqual([loud, [{ screen: 's', node: 'row', what: 'repeat', reason: 'items' }]])
  await at.press(`to-${few}`)
  expect(text()).toBe('it is 1it is 2')
  await at.end()
})

test.each<[string, Step]>([
  ['a call', { call: 'wallet.pay', args: { ids: { $: { map: [list, { var: 'id' }] } } } }],
  ['a write', { set: { 'state.seen': { $: { len: [{ filter: [list, more] }] } } } }],
  ['a condition', { if: { all: [list, more] }, then: [{ toast: 'all' }], else: [{ toast: 'not all' }] }],
])('%s of an action is not carried out on half a value', async (_, step) => {
  const asked: string[] = []
  const at = await mountScreen({
    widgets,
    call: async (name) => asked.push(name),
    doc: {
      state: { rows: rows(1_001) as never, seen: -1 },
      body: [{ id: 'it', widget: 'bag', props: { of: { $: 'state.seen' } }, on: { press: [step, { set: { 'state.seen': 7 } }] } }],
    },
  })
  await at.press('it')
  expect([at.engine.ui.toasts().map(({ text, tone }) => [text, tone]), at.node('it')?.textContent, asked]).toEqual([
    [['too_much_data', 'error']],
    'it is -1',
    [],
  ])
  await at.end()
})

test('a source whose arguments are stopped has failed, and asks nothing', async () => {
  const asked: string[] = []
  const at = await mountScreen({
    widgets,
    call: async (name) => asked.push(name),
    doc: {
      state: { rows: rows(1_001) as never },
      data: { found: { call: 'market.find', args: { ids: { $: { map: [list, { var: 'id' }] } } } } },
      body: [{ id: 'it', widget: 'box', props: { of: { $: 'data.found.list' } as never } }],
    },
  })
  expect([at.node('it')?.textContent, asked]).toEqual([loud, []])
  await at.end()
})

test('a field whose options are stopped says so, and its form is not sent', async () => {
  const asked: string[] = []
  const kind = fieldOf('kind', {
    type: 'enum',
    required: true,
    options: { $: { map: [list, { object: ['id', { var: 'id' }, 'label', 'x'] }] } },
  } as never)
  const at = await mountScreen({
    widgets,
    call: async (name) => asked.push(name),
    documents: { 'form/f': formDoc([kind]) },
    doc: { state: { rows: rows(1_000) as never }, body: [{ id: 'form', widget: 'form', props: { form: 'f' } }, grow(1_001)] },
  })
  const reported: EngineEvents['node-stopped'][] = []
  at.engine.bus.on('node-stopped', (event) => reported.push(event))
  expect(at.node('form-kind')?.textContent).toContain('kind')
  await at.press('to-1001')
  expect(at.node('form-kind')?.textContent).toBe(loud)
  await act(async () => at.box.querySelector<HTMLButtonElement>('[data-submit]')?.form?.requestSubmit())
  expect([asked, reported]).toEqual([[], [{ screen: 's', node: 'kind', what: 'field', reason: 'items' }]])
  await at.end()
})
