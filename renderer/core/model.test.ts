import { describe, expect, test, vi } from 'vitest'
import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import { type CompiledNode, compileNode, compileScreen } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import { createRegistry, type Widget } from '#renderer/core/registry.ts'
import type { Loadable } from '#renderer/core/resolve.ts'
import { Topics, topicOf } from '#renderer/core/scope.ts'
import { ScreenStore } from '#renderer/engine/store.ts'

const widget = (type: string): Widget => ({
  type,
  major: 1,
  props: undefined,
  events: [],
  slots: { row: {} },
  label: null,
  states: { loading: 'skeleton', error: 'card', stale: 'none' },
  view: type,
})
const registry = createRegistry([widget('text'), widget('list')])
const outer = () => {
  const topics = new Topics()
  const device: Record<string, unknown> = { theme: 'dark' }
  return {
    get: (root: string) => (root === 'device' ? device : undefined),
    subscribe: (topic: string, wake: () => void) => topics.subscribe(topic, wake),
  }
}

function setUp(doc: NodeDoc, statuses: Record<string, Loadable> = {}) {
  const store = new ScreenStore(outer(), { id: 7 }, { tab: 'a', other: 1 })
  const onClosed = vi.fn()
  const onStopped = vi.fn()
  const node = compileNode(doc, registry)
  const model = new NodeModel(node, store, { say: (key) => key, statusOf: (name) => statuses[name], onClosed, onStopped })
  const wake = vi.fn()
  const off = model.subscribe(wake)
  return { store, model, wake, onClosed, onStopped, node, off }
}

describe('a node hears of what it reads and of nothing else', () => {
  const doc: NodeDoc = { id: 'n', widget: 'text', props: { text: { $: 'state.tab' }, fixed: 'x' } }

  test('its own value wakes it, another does not, an equal one does not', () => {
    const { store, model, wake } = setUp(doc)
    store.setState('other', 2)
    expect(wake).not.toHaveBeenCalled()
    store.setState('tab', 'a')
    expect(wake).not.toHaveBeenCalled()
    store.setState('tab', 'b')
    expect(wake).toHaveBeenCalledTimes(1)
    expect(model.getSnapshot().props).toEqual({ text: 'b', fixed: 'x' })
  })

  test('after it left nobody is woken', () => {
    const { store, wake, off } = setUp(doc)
    off()
    store.setState('tab', 'z')
    expect(wake).not.toHaveBeenCalled()
  })

  test('a value that changes and changes back draws the same snapshot', () => {
    const { model, store } = setUp({ id: 'n', widget: 'text', props: { list: { $: { where: [{ var: 'data.x.list' }, 'a', 1] } } } })
    store.setData('x', { list: [{ a: 2 }] })
    const before = model.getSnapshot()
    store.setData('x', { list: [{ a: 2 }] })
    expect(model.getSnapshot()).toBe(before)
  })
})

describe('guards', () => {
  test.each<[unknown, boolean]>([
    [{ '===': [{ var: 'state.tab' }, 'a'] }, true],
    [{ '===': [{ var: 'state.tab' }, 'b'] }, false],
    [{ var: 'data.info.ok' }, false],
    [{ '===': [{ var: 'data.info.kind' }, null] }, false],
    [{ '!': { var: 'data.info.hidden' } }, false],
  ])('%j shows: %s', (show, shown) => {
    expect(setUp({ id: 'n', widget: 'text', show: show as never }).model.getSnapshot().shown).toBe(shown)
  })

  test('a closed guard with missing inputs is told once', () => {
    const { onClosed, store } = setUp({ id: 'n', widget: 'text', show: { var: 'data.info.ok' } })
    store.setData('info', {})
    store.setData('info', { other: 1 })
    expect(onClosed).toHaveBeenCalledTimes(1)
  })

  test('a refused expression is a closed guard, and a refused prop a broken node; neither throws', () => {
    expect(setUp({ id: 'n', widget: 'text', show: { method: ['x'] } }).model.getSnapshot().shown).toBe(false)
    expect(setUp({ id: 'n', widget: 'text', props: { text: { $: { nosuch: [] } } } }).node.widget).toBeUndefined()
  })
})

describe('the four states', () => {
  test.each<[Loadable, string]>([
    [{ status: 'idle' }, 'ready'],
    [{ status: 'pending' }, 'loading'],
    [{ status: 'ready', data: 1 }, 'ready'],
    [{ status: 'failed', problem: { code: 0, name: 'internal', msg: '' } }, 'failed'],
    [{ status: 'failed', data: 1, problem: { code: 0, name: 'internal', msg: '' } }, 'stale'],
    [{ status: 'stale', data: 1 }, 'stale'],
  ])('%j is %s', (loadable, state) => {
    expect(setUp({ id: 'n', widget: 'text', props: { text: { $: 'data.info.x' } } }, { info: loadable }).model.getSnapshot().status).toBe(
      state,
    )
  })

  test('a source that only a guard reads does not put the node into loading', () => {
    const { model } = setUp({ id: 'n', widget: 'text', show: { '!': { has: 'data.info.x' } } }, { info: { status: 'pending' } })
    expect(model.getSnapshot()).toMatchObject({ shown: true, status: 'ready' })
  })
})

describe('data that answers other arguments', () => {
  const statuses: Record<string, Loadable> = {}
  const open = (doc: NodeDoc) => {
    statuses.x = { status: 'ready', data: 1 }
    const all = setUp(doc, statuses)
    const age = (stale: boolean, value: unknown) => {
      statuses.x = stale ? { status: 'stale', data: value } : { status: 'ready', data: value }
      all.store.setData('x', value, stale)
      all.store.topics.wake('$status.x')
    }
    age(false, { name: 'a', list: [{ id: 1, name: 'r' }] })
    return { ...all, age }
  }
  const data = { name: 'a', list: [{ id: 1, name: 'r' }] }

  test('is drawn by props, and closes guards', () => {
    const node = (more: Partial<NodeDoc>) => open({ id: 'n', widget: 'text', props: { text: { $: 'data.x.name' } }, ...more })
    const plain = node({ enable: { has: 'data.x.name' } })
    plain.age(true, data)
    expect(plain.model.getSnapshot()).toMatchObject({ shown: true, enabled: false, status: 'stale', props: { text: 'a' } })
    expect(plain.model.getSnapshot().problem).toBeUndefined()
    plain.age(false, { name: 'b' })
    expect(plain.model.getSnapshot()).toMatchObject({ enabled: true, status: 'ready', props: { text: 'b' } })
    const guarded = node({ show: { '===': [{ var: 'data.x.name' }, 'a'] } })
    expect(guarded.model.getSnapshot().shown).toBe(true)
    guarded.age(true, data)
    expect(guarded.model.getSnapshot().shown).toBe(false)
  })

  test('keeps its rows, whose guards and actions read no item', () => {
    const { model, age } = open({
      id: 'l',
      widget: 'list',
      slots: {
        row: [
          {
            id: 'r',
            widget: 'text',
            props: { text: { $: 'item.name' } },
            repeat: { each: { $: 'data.x.list' }, key: 'id' },
            enable: { has: 'item.name' },
          },
        ],
      },
    })
    const [row] = model.standing('row')
    const inside = new NodeModel(row!.node, row!.scope, {
      say: (key) => key,
      statusOf: (name) => statuses[name],
      onClosed: () => undefined,
      onStopped: () => undefined,
    })
    inside.subscribe(() => undefined)
    expect(inside.getSnapshot()).toMatchObject({ enabled: true, props: { text: 'r' } })
    age(true, data)
    expect(model.standing('row')[0]?.scope).toBe(row!.scope)
    expect(inside.getSnapshot()).toMatchObject({ enabled: false, props: { text: 'r' } })
    expect(row!.scope.get('item')).toBeUndefined()
    age(false, data)
    expect(inside.getSnapshot()).toMatchObject({ enabled: true, props: { text: 'r' } })
    expect(row!.scope.get('item')).toMatchObject({ name: 'r' })
  })
})

describe('repeats', () => {
  const doc: NodeDoc = {
    id: 'l',
    widget: 'list',
    slots: { row: [{ id: 'r', widget: 'text', repeat: { each: { $: 'data.x.list' }, key: 'id' }, props: { text: { $: 'item.name' } } }] },
  }
  const rows = (...names: string[]) => ({ list: names.map((name, i) => ({ id: i + 1, name })) })
  const open = () => {
    const all = setUp(doc)
    all.store.setData('x', rows('a', 'b', 'c'))
    all.wake.mockClear()
    return all
  }

  test('a change in one row wakes that row only, and not the list', () => {
    const { model, store, wake } = open()
    const standing = model.standing('row')
    const models = standing.map(
      (s) =>
        new NodeModel(s.node, s.scope, { say: String, statusOf: () => undefined, onClosed: () => undefined, onStopped: () => undefined }),
    )
    const wakes = models.map((m) => {
      const w = vi.fn()
      m.subscribe(w)
      return w
    })
    const { list } = (store.get('data') as { x: { list: object[] } }).x
    store.setData('x', { list: list.map((row, i) => (i === 1 ? { ...row, name: 'B' } : row)) })
    expect(wakes.map((w) => w.mock.calls.length)).toEqual([0, 1, 0])
    expect(models[1]?.getSnapshot().props).toEqual({ text: 'B' })
    expect(wake).not.toHaveBeenCalled()
  })

  test('rows that move keep their scope; rows that go are gone; the list hears of both', () => {
    const { model, store, wake } = open()
    const [a, b, c] = model.standing('row')
    store.setData('x', {
      list: [
        { id: 3, name: 'c' },
        { id: 1, name: 'a' },
      ],
    })
    expect(wake).toHaveBeenCalledTimes(1)
    expect(model.standing('row').map((s) => s.scope)).toEqual([c?.scope, a?.scope])
    expect(model.standing('row')).not.toContainEqual(expect.objectContaining({ key: b?.key }))
  })

  test('doubled keys, rows without a key and what is no list at all do not break it', () => {
    const { model, store } = open()
    store.setData('x', { list: [{ id: 1 }, { id: 1 }, { name: 'no id' }, null, 'text'] })
    expect(new Set(model.standing('row').map((s) => s.key)).size).toBe(5)
    store.setData('x', { list: 'nonsense' })
    expect(model.standing('row')).toEqual([])
  })
})

describe('compiling', () => {
  const screen = (body: NodeDoc[]): ScreenDoc => ({ kind: 'screen', id: 's', format: 1, body })
  const find = (node: CompiledNode, id: string): CompiledNode | undefined =>
    node.id === id
      ? node
      : Object.values(node.slots)
          .flat()
          .map((child) => find(child, id))
          .find(Boolean)

  test('only actions that move, ask or call are guarded against a second tap', () => {
    const doc = screen([
      { id: 'n', widget: 'text', on: { change: [{ set: { 'state.a': 1 } }], press: [{ if: true, then: [{ go: '/' }] }] } },
      { id: 'o', widget: 'text', on: { press: [{ open: 'sheet' }], change: [{ close: true }, { confirm: 'logout' }] } },
    ])
    const { root } = compileScreen(doc, registry)
    const throttled = (id: string) => Object.values(find(root, id)?.on ?? {}).map((action) => action?.throttled)
    expect([throttled('n'), throttled('o')]).toEqual([
      [false, true],
      [false, true],
    ])
  })

  test('an unknown type has no widget, and knows whether a fallback is above it', () => {
    const doc = screen([
      { id: 'a', widget: 'list', fallback: 'drop', slots: { row: [{ id: 'b', widget: 'hologram' }] } },
      { id: 'c', widget: 'text@2' },
    ])
    const { root } = compileScreen(doc, registry)
    expect(find(root, 'b')).toMatchObject({ widget: undefined, sheltered: true })
    expect(find(root, 'c')).toMatchObject({ widget: undefined, sheltered: false })
  })

  test.each([
    ['data.info.balance', 'data.info'],
    ['device.theme', 'device.theme'],
    ['item.price', 'item'],
    ['data.nets[form.network].min', 'data.nets'],
    ['clock', 'clock'],
    ['feed.BTCUSDT.last', 'feed.BTCUSDT'],
  ])('topic of %s is %s', (path, topic) => expect(topicOf(path)).toBe(topic))
})
