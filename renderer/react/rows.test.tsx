import { act } from 'react'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import { roots, rootsBy } from '#language/expression/scope.ts'
import type { Widget } from '#renderer/core/registry.ts'
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
const word = defineWidget({
  type: 'word',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press', props.text)}>
      {props.text}
    </button>
  ),
})
const widgets = [box, word, ...formWidgets] as readonly Widget<View>[]
const mount = (doc: Partial<ScreenDoc>, documents: Record<string, unknown> = {}) => mountScreen({ widgets, doc, documents })
const words = (open: Awaited<ReturnType<typeof mount>>) => [...open.box.querySelectorAll('[data-node=line]')].map((one) => one.textContent)
const v = (path: string) => ({ var: path })

const orders = [
  { id: 'A', unit: 'BTC', lines: [{ n: 1 }, { n: 2 }] },
  { id: 'B', unit: 'ETH', lines: [{ n: 3 }] },
]
const nested = (text: unknown, on?: NodeDoc['on']): NodeDoc => ({
  id: 'list',
  widget: 'box',
  slots: {
    body: [
      {
        id: 'order',
        widget: 'box',
        repeat: { each: { $: 'state.orders' }, key: 'id', as: 'order' },
        slots: {
          body: [
            {
              id: 'line',
              widget: 'word',
              repeat: { each: { $: 'row.order.lines' }, key: 'n' },
              props: { text: text as never },
              ...(on && { on }),
            },
          ],
        },
      },
    ],
  },
})

test('a repeat in a repeat reads its own row and, by name, the row around', async () => {
  const open = await mount({
    state: { orders },
    body: [
      nested({ $: { cat: [v('row.order.unit'), ' ', v('item.n')] } }),
      {
        id: 'go',
        widget: 'word',
        props: { text: 'x' },
        on: { press: [{ set: { 'state.orders': [{ ...orders[0]!, unit: 'SOL' }, orders[1]!] as never } }] },
      },
    ],
  })
  expect(words(open)).toEqual(['BTC 1', 'BTC 2', 'ETH 3'])
  // Another outer row is heard of by the nodes of the inner rows.
  await open.press('go')
  await act(async () => undefined)
  expect(words(open)).toEqual(['SOL 1', 'SOL 2', 'ETH 3'])
  await open.end()
})

test('so does an action of the inner row', async () => {
  const open = await mount({
    state: { orders, seen: '' },
    body: [
      nested({ $: { cat: [v('item.n')] } }, { press: [{ set: { 'state.seen': { $: { cat: [v('row.order.id'), v('item.n')] } } } }] }),
      { id: 'seen', widget: 'word', props: { text: { $: 'state.seen' } } },
    ],
  })
  await act(async () => open.box.querySelectorAll<HTMLElement>('[data-node=line]')[2]?.click())
  expect(open.node('seen')?.textContent).toBe('B3')
  await open.end()
})

test('every root that a document may read is set by the engine', async () => {
  const asked = (names: readonly string[]): NodeDoc['props'] => ({
    text: { $: { cat: names.map((root) => ({ if: [{ has: root }, `${root} `, ''] })) } } as never,
  })
  const atAction = rootsBy.action.map((root) => ({ if: [{ has: root }, `${root} `, ''] }))
  const elsewhere: readonly string[] = [...rootsBy.action, ...rootsBy.prompt, ...rootsBy.document, ...rootsBy.configuration]
  const rest = roots.filter((root) => !elsewhere.includes(root))
  const open = await mount(
    {
      state: { orders, seen: '' },
      body: [
        { id: 'form', widget: 'form', props: { form: 'f' } },
        nested(asked(rest)?.text),
        { id: 'go', widget: 'word', props: { text: 'x' }, on: { press: [{ set: { 'state.seen': { $: { cat: atAction } } as never } }] } },
        { id: 'seen', widget: 'word', props: { text: { $: 'state.seen' } } },
      ],
    },
    { 'form/f': formDoc([fieldOf('a')]) },
  )
  await open.press('go')
  await open.settle()
  expect(words(open)[0]?.trim().split(' ')).toEqual([...rest])
  expect(open.node('seen')?.textContent?.trim().split(' ')).toEqual([...rootsBy.action])
  await open.end()
})

test('a record may be told apart by the time at which it was made', async () => {
  const open = await mount({
    state: { at: 0 },
    lists: { rows: { key: 'id', of: { id: { type: 'integer' } } } },
    enter: [{ set: { 'state.at': { $: { now: [] } } } }],
    body: [
      { id: 'add', widget: 'word', props: { text: 'x' }, on: { press: [{ set: { 'state.rows[state.at]': {} } }] } },
      { id: 'rows', widget: 'word', props: { text: { $: { cat: [{ len: { var: 'state.rows' } }, ' rows'] } } } },
    ],
  })
  await open.settle()
  await open.press('add')
  await open.settle()
  expect(open.node('rows')?.textContent).toBe('1 rows')
  await open.end()
})
