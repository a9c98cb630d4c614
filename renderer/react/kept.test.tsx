import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import type { Kept } from '#renderer/engine/kept.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press', props.text)}>
      {props.text}
    </button>
  ),
})
const say = (id: string, text: unknown, press?: unknown): NodeDoc =>
  ({ id, widget: 'label', props: { text }, ...(press !== undefined && { on: { press } }) }) as NodeDoc

let open: Awaited<ReturnType<typeof mountScreen>> | undefined
const end = async () => {
  await open?.end()
  open = undefined
}
afterEach(end)

/** Mounts a screen of one visit, for the first time or again. */
async function visit(doc: Partial<ScreenDoc>, kept: Kept, call?: () => Promise<unknown>) {
  await end()
  open = await mountScreen({ widgets: [label] as readonly Widget<View>[], doc, kept, ...(call && { call }) })
  await open.settle()
  return open
}
const fresh = (): Kept => ({ state: {}, places: {}, returned: false })
const tabbed: Partial<ScreenDoc> = {
  state: { tab: 'doing', period: 'all' },
  body: [say('tab', { $: 'state.tab' }, [{ set: { 'state.tab': 'done' } }]), say('period', { $: 'state.period' })],
}

test('the customer’s choice is there again on the way back, and not on a fresh visit', async () => {
  const kept = fresh()
  const first = await visit(tabbed, kept)
  await first.press('tab')
  expect([first.text(), kept.state]).toEqual(['doneall', { tab: 'done' }])
  expect((await visit(tabbed, { ...kept, returned: true })).text()).toBe('doneall')
  expect((await visit(tabbed, fresh())).text()).toBe('doingall')
})

test('values follow the document: a name that it has no more is left out', async () => {
  const screen = await visit(tabbed, { state: { tab: 'done', gone: 1 }, places: {}, returned: true })
  expect(screen.text()).toBe('doneall')
})

test('on the way back, steps of the screen leave the choice alone and open no sheet', async () => {
  const doc: Partial<ScreenDoc> = {
    ...tabbed,
    params: { tab: { type: 'string' } },
    enter: [{ set: { 'state.tab': 'all', 'state.period': 'week' } }, { open: 'sheet' }],
  }
  const kept = fresh()
  const first = await visit(doc, kept)
  expect([first.text(), kept.state]).toEqual(['allweek', {}])
  await first.press('tab')
  expect((await visit(doc, { ...kept, returned: true })).text()).toBe('doneweek')
})

test('a value that followed a call is not kept, and takes the choice’s place', async () => {
  const doc: Partial<ScreenDoc> = {
    state: { code: '' },
    body: [
      say('code', { $: 'state.code' }, [{ call: 'code.ask', as: 'asked' }, { set: { 'state.code': { $: 'result.asked.code' } } }]),
      say('own', 'own', [{ set: { 'state.code': 'typed' } }]),
    ],
  }
  const kept = fresh()
  const screen = await visit(doc, kept, async () => ({ code: 'secret' }))
  await screen.press('own')
  expect(kept.state).toEqual({ code: 'typed' })
  await screen.press('code')
  await screen.settle()
  expect([screen.text(), kept.state]).toEqual(['secretown', {}])
})
