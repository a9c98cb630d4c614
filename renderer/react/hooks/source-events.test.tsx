import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { ScreenDoc, SourceDoc, Step } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press', undefined)}>
      {props.text}
    </button>
  ),
})
const widgets = [label] as readonly Widget<View>[]

const add = (name: string): Step => ({ set: { [`state.${name}`]: { $: { '+': [{ var: `state.${name}` }, 1] } } } })
const counted = { cat: ['loaded ', { var: 'state.loaded' }, ', changed ', { var: 'state.changed' }] }
/** A screen that counts how often the steps of its source ran. */
const counting = (more: Partial<SourceDoc> = {}, changed: Step[] = []): Partial<ScreenDoc> => ({
  state: { loaded: 0, changed: 0, page: 1 },
  data: { rows: { call: 'rows', keepMs: 1, on: { loaded: [add('loaded')], changed: [add('changed'), ...changed] }, ...more } },
  body: [{ id: 't', widget: 'label', props: { text: { $: counted } } }],
})

let open: Awaited<ReturnType<typeof mountScreen>> | undefined
afterEach(async () => {
  await open?.end()
  open = undefined
})
/** A screen on answers that the test gives one by one. */
async function mount(doc: Partial<ScreenDoc>, answers: (asked: number, args: { page?: number }) => unknown) {
  let asked = 0
  const screen = (open = await mountScreen({ widgets, doc, call: async (_name, args) => answers(asked++, args as { page?: number }) }))
  const refresh = async (times = 1) => {
    for (let n = 0; n < times; n++) {
      // `keepMs` is over, and the next answer is not the one before.
      await screen.settle()
      const before = asked
      await act(() => screen.engine.queries.refetchQueries({ type: 'active' }))
      while (asked === before) await screen.settle()
      await screen.settle()
    }
  }
  await screen.settle()
  return { ...screen, refresh, asked: () => asked }
}

test('the first answer of a visit runs "loaded", each that differs "changed"', async () => {
  const answers = [{ n: 1 }, { n: 1 }, { n: 2 }, { n: 2 }, { n: 1 }]
  const screen = await mount(counting(), (n) => answers[n])
  expect(screen.text()).toBe('loaded 1, changed 0')
  await screen.refresh()
  expect(screen.text()).toBe('loaded 1, changed 0')
  await screen.refresh()
  expect(screen.text()).toBe('loaded 1, changed 1')
  await screen.refresh()
  expect(screen.text()).toBe('loaded 1, changed 1')
  await screen.refresh()
  expect(screen.text()).toBe('loaded 1, changed 2')
})

test('another revision of the document runs nothing again, another visit does', async () => {
  const doc = counting()
  const screen = await mount(doc, () => ({ n: 1 }))
  await screen.show({ ...doc, data: { rows: { ...doc.data!.rows!, keepMs: 2 } } })
  await screen.settle()
  expect(screen.text()).toBe('loaded 1, changed 0')
  await screen.show(doc, '2')
  await screen.settle()
  expect(screen.text()).toBe('loaded 2, changed 0')
})

test('"value" is the answer before', async () => {
  const doc = counting({
    on: { changed: [{ set: { 'state.changed': { $: { cat: [{ var: 'value.n' }, '-', { var: 'data.rows.n' }] } } } }] },
  })
  const screen = await mount(doc, (n) => ({ n: n + 7 }))
  await screen.refresh()
  expect(screen.text()).toBe('loaded 0, changed 7-8')
})

test('an answer that comes after the customer has left runs nothing', async () => {
  let answer: (value: unknown) => void = () => undefined
  const doc = counting({ on: { loaded: [{ go: 'elsewhere' }, add('loaded')] } })
  const screen = await mount(doc, () => new Promise((done) => (answer = done)))
  const moves: string[] = []
  screen.engine.setMover({ go: (address) => void moves.push(address), back: () => void moves.push('back') })
  screen.engine.back()
  answer({ n: 1 })
  await screen.settle()
  expect(screen.text()).toBe('loaded 0, changed 0')
  expect(moves).toEqual(['back'])
})

test.each<[string, Partial<SourceDoc>, Step[]]>([
  ['load their source again', {}, [{ refresh: ['rows'] }]],
  ['change what it asks', { args: { page: { $: 'state.page' } } }, [add('page')]],
])('steps that %s do not circle for ever', async (_what, more, changed) => {
  const screen = await mount(counting(more, changed), (n) => ({ n }))
  const counted = () => Number(/changed (\d+)/.exec(screen.text() ?? '')?.[1])
  for (let round = 0; round < 3 * limits.sourceCircleMax; round++) await screen.settle()
  expect(counted()).toBe(0)
  await screen.refresh()
  for (let round = 0; round < 3 * limits.sourceCircleMax; round++) await screen.settle()
  expect(counted()).toBe(limits.sourceCircleMax)
  // Requests that others start count anew.
  await screen.refresh()
  for (let round = 0; round < 3 * limits.sourceCircleMax; round++) await screen.settle()
  expect(counted()).toBe(2 * limits.sourceCircleMax)
})

test('one page more is no change', async () => {
  const props = { text: { $: { cat: [' of ', { len: [{ var: 'data.rows.list' }] }] } } }
  const rows = { id: 'b', widget: 'label', props, on: { press: [{ more: 'rows' }] } }
  const doc = counting({ pages: true })
  const body = [...(doc.body ?? []), rows]
  const screen = await mount({ ...doc, body }, (_n, { page = 1 }) => ({ list: [{ id: 2 * page }, { id: 2 * page + 1 }], total: 6 }))
  expect(screen.text()).toBe('loaded 1, changed 0 of 2')
  await screen.press('b')
  await screen.settle()
  expect(screen.text()).toBe('loaded 1, changed 0 of 4')
})
