import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NodeDoc } from '#language/documents/documents.ts'
import { compileNode } from '#renderer/core/compile.ts'
import { createRegistry, type Widget } from '#renderer/core/registry.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { EngineContext, type ScreenHandle } from '#renderer/react/context.ts'
import { NodeView } from '#renderer/react/NodeView.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'

let broken = false
const drawn: string[] = []
const Word = ({ root, props, emit }: ViewProps<{ text: string }>) => {
  if (broken && props.text === 'b') throw new Error('no b')
  drawn.push(props.text)
  const [pressed, setPressed] = useState(0)
  const press = () => {
    setPressed((n) => n + 1)
    emit('press')
  }
  return (
    <button {...root} type="button" data-pressed={pressed} onClick={press}>
      {props.text}
    </button>
  )
}
const List = ({ root, slots }: ViewProps<object, never, 'row'>) => <div {...root}>{slots.row.all()}</div>
const widget = (type: string, view: unknown): Widget<View> => ({
  type,
  major: 1,
  props: undefined,
  events: ['press'],
  slots: type === 'list' ? { row: {} } : {},
  label: null,
  states: { loading: 'self', error: 'self', stale: 'none' },
  view: view as View,
})
const registry = createRegistry([widget('word', Word), widget('list', List)])

let host: HTMLElement
let root: Root
let store: ScreenStore
const emit = vi.fn()
const handle = (): ScreenHandle => ({
  engine: { bus: { emit }, registry, say: (key: string) => key, outer: {} } as never,
  store,
  data: {
    status: () => undefined,
    refresh: async () => true,
    more: () => undefined,
    start: () => undefined,
    stop: () => undefined,
    listen: () => () => undefined,
    asked: (_depth, run) => run(),
  },
  screen: { id: 's', kind: 'screen', format: 1, body: [] } as never,
  say: (key) => key,
  throttleMs: 0,
  statusOf: () => undefined,
  onClosed: () => undefined,
  onStopped: () => undefined,
})
let screen: ScreenHandle
const show = (doc: NodeDoc) =>
  act(() =>
    root.render(
      <EngineContext value={screen.engine as Engine<View>}>
        <NodeView node={compileNode(doc, registry)} scope={store} screen={screen} />
      </EngineContext>,
    ),
  )
const row: NodeDoc = {
  id: 'r',
  widget: 'word',
  repeat: { each: { $: 'data.x.list' }, key: 'id' },
  props: { text: { $: 'item.name' } },
}
const list: NodeDoc = { id: 'l', widget: 'list', slots: { row: [row] } }
const rows = (...names: string[]) => ({ list: names.map((name) => ({ id: name, name })) })
const texts = () => [...host.querySelectorAll('button')].map((one) => one.textContent)

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  store = new ScreenStore({ get: () => undefined, subscribe: () => () => undefined }, {}, { text: 'a' })
  screen = handle()
  broken = false
  drawn.length = 0
  emit.mockClear()
})
afterEach(() => {
  act(() => root.unmount())
  host.remove()
})

test('a changed row draws alone; rows that move keep their elements and their keys', () => {
  store.setData('x', rows('a', 'b', 'c'))
  show(list)
  const before = [...host.querySelectorAll('button')]
  drawn.length = 0
  const { list: loaded } = (store.get('data') as { x: { list: object[] } }).x
  act(() => store.setData('x', { list: loaded.map((row, i) => (i === 1 ? { ...row, name: 'B' } : row)) }))
  expect(drawn).toEqual(['B'])
  act(() =>
    store.setData('x', {
      list: [
        { id: 'c', name: 'c' },
        { id: 'a', name: 'a' },
      ],
    }),
  )
  expect(texts()).toEqual(['c', 'a'])
  expect([...host.querySelectorAll('button')]).toEqual([before[2], before[0]])
  expect(host.querySelectorAll('[data-key="c"]')).toHaveLength(1)
})

test('what changes between drawing and listening is not missed', () => {
  const subscribe = store.subscribe.bind(store)
  let first = true
  store.subscribe = (topic, wake) => {
    if (first) {
      first = false
      store.setState('text', 'z')
    }
    return subscribe(topic, wake)
  }
  show({ id: 'n', widget: 'word', props: { text: { $: 'state.text' } } })
  expect(texts()).toEqual(['z'])
})

test('another revision is drawn over the same view and hears of its own values only', () => {
  const doc = (path: string): NodeDoc => ({ id: 'n', widget: 'word', props: { text: { $: path } } })
  show(doc('state.text'))
  act(() => host.querySelector('button')?.click())
  act(() => store.setState('other', 'o'))
  show(doc('state.other'))
  expect(host.querySelector('button')?.dataset.pressed).toBe('1')
  drawn.length = 0
  act(() => store.setState('text', 'unheard'))
  expect(drawn).toEqual([])
  act(() => store.setState('other', 'heard'))
  expect(texts()).toEqual(['heard'])
})

test('after it left the store wakes nobody', () => {
  show({ id: 'n', widget: 'word', props: { text: { $: 'state.text' } } })
  act(() => root.render(null))
  drawn.length = 0
  act(() => store.setState('text', 'late'))
  expect(drawn).toEqual([])
})

test.each<[string, Partial<NodeDoc>, string]>([
  ['its neighbours live on beside a quiet card', {}, 'aengine.broken_titleengine.retryc'],
  ['drop leaves nothing', { fallback: 'drop' }, 'ac'],
  ['a fallback stands in', { fallback: { id: 'f', widget: 'word', props: { text: 'stand' } } }, 'astandc'],
])('what breaks inside stays inside: %s', (_name, more, text) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  broken = true
  store.setData('x', rows('a', 'b', 'c'))
  show({ ...list, slots: { row: [{ ...row, ...more }] } })
  expect(host.textContent).toBe(text)
  expect(emit.mock.calls).toEqual([
    ['node-broken', { screen: 's', node: 'r', widget: 'word', reason: 'Error: no b', stands: more.fallback !== undefined }],
  ])
})

test('a broken node can be tried again, and another revision is a new chance', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  broken = true
  const doc: NodeDoc = { id: 'n', widget: 'word', props: { text: 'b' } }
  show(doc)
  expect(host.querySelector('[data-broken="word"]')).not.toBeNull()
  broken = false
  act(() => host.querySelector<HTMLButtonElement>('[data-broken] button')?.click())
  expect(texts()).toEqual(['b'])
  broken = true
  show({ ...doc })
  expect(host.querySelector('[data-broken]')).not.toBeNull()
  broken = false
  show({ ...doc })
  expect(texts()).toEqual(['b'])
})

test.each([
  ['plain', {}],
  ['that stands aside for a fallback', { fallback: 'drop' as const }],
  ['that is critical', { critical: true }],
])('while developing, a node %s shows what it threw in its place', (_kind, more) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  screen = { ...screen, engine: { ...screen.engine, exposes: true } as never }
  store.setData('x', rows('a', 'b', 'c'))
  broken = true
  show({ ...list, slots: { row: [{ ...row, ...more }] } })
  const cards = [...host.querySelectorAll('[data-broken="word"] .exception')].map((one) => one.textContent)
  expect(cards).toHaveLength(1)
  expect(cards[0]).toMatch(/^Error: no b\n.*NodeView\.test\.tsx:\d+/)
  expect(host.textContent).toMatch(/^aengine\.broken_title.*c$/s)
})
