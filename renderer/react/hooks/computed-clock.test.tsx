import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { NodeDoc } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget, useClock } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const start = Date.parse('2026-11-29T12:00:00Z')
const hourMs = 3_600_000
beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  view: ({ root, props }: ViewProps<{ text: string }>) => <p {...root}>{props.text}</p>,
})
const watch = defineWidget({
  type: 'watch',
  props: z.object({}),
  view: ({ root }: ViewProps<object>) => <p {...root}>{new Date(useClock(1_000)).toISOString().slice(11, 19)}</p>,
})

test('a hold, an age and a countdown follow the server, not the device', async () => {
  const asked = vi.fn(async (_name: string, _args: unknown) => ({ list: [] }))
  const body: NodeDoc[] = [
    { id: 'hold', widget: 'label', show: { before: [{ now: [] }, { var: 'params.until' }] } as never, props: { text: 'held' } },
    { id: 'ago', widget: 'label', props: { text: { $: { format: ['ago', { var: 'params.ago' }] } } } as never },
    { id: 'watch', widget: 'watch' },
  ]
  const open = await mountScreen({ widgets: [label, watch] as readonly Widget<View>[], doc: {}, call: asked })
  await open.show({ body, data: { rows: { call: 'rows', args: { since: { $: { now: [] } } } } } as never }, '2', {
    until: start + 5_500,
    ago: start - 2 * hourMs,
  })
  const seen = () => [open.node('hold') !== null, open.node('ago')?.textContent, open.node('watch')?.textContent]
  expect(seen()).toEqual([true, '2 hours ago', '12:00:00'])
  // The device is an hour ahead: what is held by its clock is not over by that of the server.
  await act(async () => open.engine.clock.heard(start - hourMs, 0))
  expect(seen()).toEqual([true, '1 hour ago', '11:00:00'])
  await act(async () => open.engine.clock.heard(start, 0))
  const before = asked.mock.calls.length
  await act(async () => void vi.advanceTimersByTime(5_000))
  expect(seen()).toEqual([true, '2 hours ago', '12:00:05'])
  await act(async () => void vi.advanceTimersByTime(1_000))
  expect(seen()).toEqual([false, '2 hours ago', '12:00:06'])
  // A source asks when something else makes it, not because time goes on.
  expect(asked.mock.calls.length).toBe(before)
  await open.end()
  expect(vi.getTimerCount()).toBe(0)
})
