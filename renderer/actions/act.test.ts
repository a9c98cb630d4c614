import { QueryClient } from '@tanstack/query-core'
import mitt from 'mitt'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ErrorOutcome, Step } from '#language/documents/documents.ts'
import type * as Act from '#renderer/actions/act.ts'
import type * as ApiModule from '#renderer/calls/api.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import type { Engine, EngineEvents } from '#renderer/engine/types.ts'

let module: typeof Act
let api: typeof ApiModule
beforeEach(async () => {
  vi.resetModules()
  module = await import('#renderer/actions/act.ts')
  api = await import('#renderer/calls/api.ts')
})

const steps: Step[] = [
  { confirm: 'p', with: { rate: { $: 'data.quote.rate' }, amount: { $: 'state.amount' } } },
  { call: 'c', args: { id: { $: 'data.quote.id' }, amount: { $: 'state.amount' } } },
]
const errors: Record<string, ErrorOutcome> = { quote_expired: { refresh: ['quote'], retry: 'confirm' } }

/** A screen with an offer that the server knows to be old; another one comes when it is asked for. */
function stage() {
  const asked: unknown[] = []
  const sent: unknown[] = []
  const store = new ScreenStore({ get: () => undefined, subscribe: () => () => undefined }, {}, { amount: '5' })
  store.setData('quote', { id: 1, rate: '10' })
  const engine = {
    bus: mitt<EngineEvents>(),
    queries: new QueryClient(),
    say: (key: string) => key,
    clock: { now: () => 0, elapsed: () => 0 },
    visit: () => 1,
    app: () => ({ links: [], constants: { clickThrottleMs: 1 } }),
    i18n: { language: () => 'en', hasArea: () => true },
    config: {
      current: () => undefined,
      fetchDocument: async () => ({
        title: 'Sure?',
        rows: [
          { label: 'Rate', value: { $: 'params.rate' } },
          { label: 'Amount', value: { $: 'params.amount' } },
        ],
      }),
    },
    problems: { take: () => false, words: () => 'old' },
    ui: {
      toast: () => undefined,
      ask: async ({ rows }: { rows: { value: string }[] }) => asked.push(rows.map(({ value }) => value)) > 0,
    },
    api: {
      call: async (_: string, args: { id: number }) => {
        sent.push(args)
        if (args.id !== 2) throw new api.CallProblem(409, 'quote_expired')
      },
    },
  } as unknown as Engine
  const data = {
    status: () => undefined,
    refresh: async () => {
      store.setData('quote', { id: 2, rate: '20' })
      return true
    },
    more: () => undefined,
    listen: () => () => undefined,
    asked: <T>(_depth: number, run: () => T) => run(),
    start: () => undefined,
    stop: () => undefined,
  }
  return { asked, sent, store, place: { engine, store, data, screen: { id: 's', errors } } }
}

test.each([
  ['before the code for it is here', false],
  ['when it is', true],
])('a press %s is asked about what stood there then, and once more about what is there since', async (_when, ready) => {
  if (ready) await module.loadPerform()
  const { asked, sent, store, place } = stage()
  const done = module.act(steps, store, undefined, place)
  // The press was for what the customer saw.
  store.setData('quote', { id: 0, rate: '15' })
  expect(await done).toBe('done')
  expect(asked).toEqual([
    ['10', '5'],
    ['20', '5'],
  ])
  expect(sent).toEqual([
    { id: 1, amount: '5' },
    { id: 2, amount: '5' },
  ])
})
