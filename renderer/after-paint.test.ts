import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { expect, test, vi } from 'vitest'
import { startAfterPaint } from '#renderer/after-paint.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { View } from '#renderer/react/view.ts'

vi.mock('#renderer/actions/act.ts', () => ({ loadPerform: async () => undefined }))
vi.mock('#renderer/calls/perform-settle.ts', () => ({ settlePresses: () => undefined }))
vi.mock('#renderer/prefetch.ts', () => ({ prefetchScreens: async () => undefined, savesData: () => false }))
vi.mock('#renderer/react/layers/PromptHost.tsx', () => ({ loadPromptDialog: async () => undefined }))

const online = new EventTarget()
vi.stubGlobal('addEventListener', online.addEventListener.bind(online))

test('who logs in, out, or proves who they are is asked for again: another release may be theirs', async () => {
  const wakes: Record<string, () => void> = {}
  let checks = 0
  const engine = {
    loadAccess: async () => undefined,
    outer: { subscribe: (topic: string, wake: () => void) => void (wakes[topic] = wake) },
    config: { check: () => void (checks += 1) },
    queries: new QueryClient(),
    feed: { onTopicMessage: () => () => undefined },
  } as unknown as Engine<View>
  await startAfterPaint(engine)
  expect(Object.keys(wakes).sort()).toEqual(['session.kyc', 'session.logged_in'])
  expect(checks).toBe(0)
  wakes['session.logged_in']!()
  wakes['session.kyc']!()
  expect(checks).toBe(2)
})

test('what the server tells of the customer’s own is asked for again, wherever it is kept, and nothing else', async () => {
  const queries = new QueryClient()
  for (const [key, live] of Object.entries({ assets: 'balance', news: undefined })) {
    await queries.fetchQuery({ queryKey: [key], queryFn: () => key, meta: { live } })
  }
  let tell: (message: { topic: string }) => void = () => undefined
  const engine = {
    loadAccess: async () => undefined,
    outer: { subscribe: () => undefined },
    config: {},
    queries,
    topics: {},
    bus: { emit: () => undefined },
    feed: { onTopicMessage: (run: typeof tell) => void (tell = run) },
  } as unknown as Engine<View>
  await startAfterPaint(engine)
  tell({ topic: 'balance' })
  expect(['assets', 'news'].map((key) => queries.getQueryState([key])?.isInvalidated)).toEqual([true, false])
})

test('what is shown is asked for again when the network is back, however young it is', async () => {
  const queries = new QueryClient()
  let asked = 0
  const shown = new QueryObserver(queries, { queryKey: ['offers'], queryFn: () => ++asked, staleTime: 60_000 })
  const stop = shown.subscribe(() => undefined)
  await queries.fetchQuery({ queryKey: ['kept'], queryFn: () => 0 })
  await vi.waitFor(() => expect(asked).toBe(1))
  await startAfterPaint({
    loadAccess: async () => undefined,
    outer: { subscribe: () => undefined },
    config: {},
    queries,
    feed: { onTopicMessage: () => () => undefined },
  } as unknown as Engine<View>)
  online.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(asked).toBe(2))
  expect(queries.getQueryState(['kept'])?.isInvalidated).toBe(false)
  stop()
})
