import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { NodeDoc, ScreenDoc, Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { chainOf } from '#renderer/actions/enter-chain.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const drawn: string[] = []
const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => {
    drawn.push(String(root['data-key'] ?? root['data-node']))
    return (
      <button {...root} type="button" onClick={() => emit('press', props.text)}>
        {props.text}
      </button>
    )
  },
})
const box = defineWidget({
  type: 'box',
  props: z.object({}),
  slots: { body: {} },
  view: ({ root, slots }: ViewProps<object, never, 'body'>) => {
    drawn.push(root['data-node'])
    return <div {...root}>{slots.body.all()}</div>
  },
})
const bomb = defineWidget({
  type: 'bomb',
  props: z.object({}),
  view: () => {
    throw new Error('boom')
  },
})
const widgets = [label, box, bomb] as readonly Widget<View>[]
const say = (id: string, text: unknown, more: Partial<NodeDoc> = {}): NodeDoc => ({
  id,
  widget: 'label',
  props: { text: text as string },
  ...more,
})

let open: Awaited<ReturnType<typeof mountScreen>> | undefined
const mount = async (options: Omit<Parameters<typeof mountScreen>[0], 'widgets'>) => {
  open = await mountScreen({ widgets, ...options })
  return open
}
afterEach(async () => {
  await open?.end()
  open = undefined
  drawn.length = 0
  document.body.replaceChildren()
})

test('the transition of pages and the delay of the spinner are those of the app document', async () => {
  await mount({ doc: { body: [] } })
  const { style } = document.documentElement
  expect([style.getPropertyValue('--transition'), style.getPropertyValue('--spinner-after')]).toEqual(['120ms', '700ms'])
})

describe('walls', () => {
  const broken: [string, NodeDoc][] = [
    ['a type that this build does not have', { id: 'x', widget: 'hologram' }],
    ['a view that throws', { id: 'x', widget: 'bomb' }],
    ['a refused expression', { id: 'x', widget: 'label', props: { text: { $: { nosuch: [] } } } }],
  ]
  test.each(broken)('%s breaks alone: its neighbours live, and the wall has a name', async (_name, node) => {
    const reports: string[] = []
    const screen = await mount({ doc: { body: [say('before', 'before'), node, say('after', 'after')] } })
    screen.engine.bus.on('node-broken', (event) => reports.push(event.node))
    expect(screen.text()).toContain('before')
    expect(screen.text()).toContain('after')
    expect(screen.node('x')?.dataset.broken).toBeDefined()
    expect(screen.text()).not.toContain('boom')
  })

  test.each(broken)('%s gives way to its fallback', async (_name, node) => {
    const screen = await mount({
      doc: {
        body: [
          { ...node, fallback: say('stand', 'instead') },
          { ...node, id: 'y', fallback: 'drop' },
        ],
      },
    })
    expect(screen.text()).toBe('instead')
  })

  test('without a fallback of its own the error climbs to the nearest that has one, and no further', async () => {
    const inner: NodeDoc = {
      id: 'inner',
      widget: 'box',
      fallback: say('stand', 'instead'),
      slots: { body: [{ id: 'x', widget: 'hologram' }, say('lost', 'lost')] },
    }
    const screen = await mount({ doc: { body: [{ id: 'outer', widget: 'box', slots: { body: [inner, say('kept', 'kept')] } }] } })
    expect(screen.text()).toBe('insteadkept')
  })
})

describe('data', () => {
  const list = (...names: string[]) => ({ list: names.map((name, i) => ({ id: i, name })), total: names.length })
  const rows: NodeDoc = {
    id: 'rows',
    widget: 'box',
    slots: { body: [{ ...say('row', { $: 'item.name' }), repeat: { each: { $: 'data.x.list' }, key: 'id' } }] },
  }

  test('a pushed change draws its row and nothing else', async () => {
    const screen = await mount({
      doc: { data: { x: { call: 'wallet.getRecord', live: 'records' } }, body: [rows, say('other', 'other')] },
      call: async () => list('a', 'b', 'c'),
    })
    await screen.settle()
    drawn.length = 0
    await screen.push({ topic: 'records', change: 'update', row: { id: 1, name: 'B' } })
    expect(screen.text()).toBe('aBcother')
    expect(drawn).toEqual(['1'])
  })

  test('a reload with equal answers draws nothing', async () => {
    const screen = await mount({ doc: { data: { x: { call: 'c', live: 'rows' } }, body: [rows] }, call: async () => list('a', 'b') })
    await screen.settle()
    drawn.length = 0
    await screen.push({ topic: 'rows' })
    expect(drawn).toEqual([])
  })

  test('pages are joined, and the last one ends it', async () => {
    const pages: unknown[] = []
    const call = async (_name: string, args: unknown) => {
      pages.push((args as { page: number }).page)
      return {
        list:
          (args as { page: number }).page === 1
            ? [
                { id: 1, name: 'a' },
                { id: 2, name: 'b' },
              ]
            : [{ id: 3, name: 'c' }],
        total: 3,
      }
    }
    const more = say('more', 'more', { on: { press: [{ more: 'x' }] }, show: { var: 'data.x.more' } })
    const screen = await mount({ doc: { data: { x: { call: 'c', pages: true } }, body: [rows, more] }, call })
    await screen.settle()
    expect(screen.text()).toBe('abmore')
    await screen.press('more')
    await screen.settle()
    expect(screen.text()).toBe('abc')
    expect(pages).toEqual([1, 2])
  })

  test('a failed source takes only its readers with it, and loads again when asked', async () => {
    let fail = true
    const call = async () => (fail ? Promise.reject(new CallProblem(4004, 'not_found', 'gone')) : { name: 'here' })
    const again = say('again', 'again', { on: { press: [{ refresh: ['x'] }] } })
    const screen = await mount({ doc: { data: { x: { call: 'c' } }, body: [say('n', { $: 'data.x.name' }), again] }, call })
    await screen.settle()
    expect(screen.text()).toBe('again')
    fail = false
    await screen.press('again')
    await screen.settle()
    expect(screen.text()).toBe('hereagain')
  })

  test('old data that could not be loaded again stays in its place, with the node that says so', async () => {
    let fail = false
    const call = async () => (fail ? Promise.reject(new CallProblem(4004, 'not_found', 'gone')) : { name: 'old' })
    const n = say('n', { $: 'data.x.name' }, { states: { stale: say('mark', 'may be old') } })
    const screen = await mount({ doc: { data: { x: { call: 'c', live: 'x' } }, body: [n] }, call })
    await screen.settle()
    expect(screen.text()).toBe('old')
    const drawn = screen.node('n')
    fail = true
    await screen.push({ topic: 'x' })
    expect(screen.text()).toBe('may be oldold')
    fail = false
    await screen.push({ topic: 'x' })
    expect(screen.text()).toBe('old')
    // Drawn anew it would have lost its focus and its scrolling.
    expect(screen.node('n')).toBe(drawn)
  })

  test('data that answers other arguments is marked until the answer to the present ones comes', async () => {
    let come: (() => void) | undefined
    const call = (_name: string, args: unknown) => {
      const { tab } = args as { tab: string }
      return new Promise<unknown>((done) => {
        come = () => done({ name: `of ${tab}` })
      })
    }
    const doc = {
      state: { tab: 'a' },
      data: { x: { call: 'c', args: { tab: { $: 'state.tab' } } } },
      body: [
        say('go', 'go', { on: { press: [{ set: { 'state.tab': 'b' } }] } }),
        say('n', { $: 'data.x.name' }, { states: { stale: say('mark', 'old ') } }),
        say('fixed', 'fixed'),
      ],
    }
    const screen = await mount({ doc, call })
    come?.()
    await screen.settle()
    expect(screen.text()).toBe('goof afixed')
    await screen.press('go')
    expect(screen.text()).toBe('goold of afixed')
    const marks = (id: string) => [screen.node(id)?.hasAttribute('data-stale'), screen.node(id)?.getAttribute('aria-busy')]
    expect([marks('n'), marks('fixed')]).toEqual([
      [true, 'true'],
      [false, null],
    ])
    come?.()
    await screen.settle()
    expect(screen.text()).toBe('goof bfixed')
    expect(marks('n')).toEqual([false, null])
  })

  test('a source waits for its condition', async () => {
    const calls: unknown[] = []
    const doc = {
      state: { on: false },
      data: { x: { call: 'c', args: { a: { $: 'state.on' } }, when: { var: 'state.on' } } },
      body: [say('go', 'go', { on: { press: [{ set: { 'state.on': true } }] } })],
    }
    const screen = await mount({ doc, call: async (_name, args) => calls.push(args) })
    await screen.settle()
    expect(calls).toEqual([])
    await screen.press('go')
    await screen.settle()
    expect(calls).toEqual([{ a: true }])
  })
})

describe('actions', () => {
  test('two taps are one call', async () => {
    const calls: string[] = []
    const screen = await mount({
      doc: { body: [say('pay', 'pay', { on: { press: [{ call: 'pay' }] } })] },
      call: async (name) => calls.push(name),
    })
    await screen.press('pay')
    await screen.press('pay')
    expect(calls).toEqual(['pay'])
  })

  test('what only sets is never held back', async () => {
    const steps = [{ set: { 'state.n': { $: { '+': [{ var: 'state.n' }, 1] } } } }]
    const screen = await mount({
      doc: { state: { n: 0 }, body: [say('add', { $: { cat: ['n', { var: 'state.n' }] } }, { on: { press: steps } })] },
    })
    for (let i = 0; i < 3; i++) await screen.press('add')
    expect(screen.text()).toBe('n3')
  })
})

test('enter runs once for a visit, whatever revision of the document comes', async () => {
  const enter = [{ set: { 'state.n': { $: { '+': [{ var: 'state.n' }, 1] } } } }]
  const doc = { state: { n: 0 }, enter, body: [say('t', { $: { cat: ['n', { var: 'state.n' }] } })] }
  const screen = await mount({ doc })
  await screen.show({ ...doc, enter: [...enter] })
  expect(screen.text()).toBe('n1')
  await screen.show(doc, '2')
  expect(screen.text()).toBe('n2')
})

test('entries that a person makes while slow enter steps run are no circle', async () => {
  const doc: Partial<ScreenDoc> = { enter: [{ call: 'slow' }], body: [say('t', 'shown')] }
  const screen = await mount({ doc, call: () => new Promise(() => undefined) })
  for (let visit = 2; visit <= 3 * limits.enterMovesMax; visit++) await screen.show(doc, String(visit))
  expect(screen.text()).toBe('shown')
})

test('entries that enter steps make are a circle after the limit', async () => {
  const screen = await mount({ doc: { body: [] } })
  const go = vi.spyOn(screen.engine, 'go').mockImplementation(() => undefined)
  const doc: Partial<ScreenDoc> = { enter: [{ go: '/' }], body: [say('t', 'shown')] }
  for (let visit = 1; visit <= limits.enterMovesMax; visit++) {
    await screen.show(doc, `visit ${visit}`)
    while (go.mock.calls.length < visit) await screen.settle()
  }
  expect(screen.text()).toBe('shown')
  await expect(screen.show(doc, 'one more')).rejects.toThrow('"enter" causes a cycle: s → s')
})

test('home after a circle runs its enter steps without those that move', async () => {
  const screen = await mount({ doc: { body: [] } })
  const moves: string[] = []
  screen.engine.setMover({ go: (address) => void moves.push(address), back: () => void moves.push('back') })
  const steps: Step[] = [{ go: '/' }, { set: { 'state.n': 'entered' } }, { back: true }]
  const doc: Partial<ScreenDoc> = { state: { n: '' }, enter: steps, body: [say('t', { $: 'state.n' })] }
  const chain = chainOf(screen.engine)
  while (!('circle' in chain.begin('s'))) chain.moved(true)
  chain.home()
  await screen.show(doc, '2')
  while (screen.text() !== 'entered') await screen.settle()
  expect(moves).toEqual([])
  await screen.show(doc, '3')
  while (!moves.includes('back')) await screen.settle()
})

test('another revision of the document is drawn over the same values', async () => {
  const body = [say('t', { $: 'state.typed' }, { on: { press: [{ set: { 'state.typed': 'kept' } }] } })]
  const screen = await mount({ doc: { state: { typed: 'empty' }, body } })
  await screen.press('t')
  await screen.show({ state: { typed: 'empty', fresh: 'new' }, body: [...body, say('u', { $: 'state.fresh' })] })
  expect(screen.text()).toBe('keptnew')
})
