import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConsoleError } from '#console/io/client.ts'
import { type Asked, type Console, ConsoleContext, useAsked } from '#console/io/console.ts'
import type { ConsoleEvent } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Two components that ask for one thing, and the answers of the server, given by hand. */
async function stage(key: string | null = 'asked twice') {
  const wakes = new Set<(event: ConsoleEvent | null) => void>()
  const requests: { signal: AbortSignal; resolve(text: string): void; reject(problem: Error): void }[] = []
  const seen: Asked<string>[] = []
  const ask = (signal: AbortSignal) => new Promise<string>((resolve, reject) => void requests.push({ signal, resolve, reject }))
  function Reader({ at, wanted }: { at: number; wanted: string | null }) {
    seen[at] = useAsked(wanted, ask, ['draft'])
    return null
  }
  const onEvent: Console['onEvent'] = (wake) => {
    wakes.add(wake)
    return () => wakes.delete(wake)
  }
  const value = { onEvent } as Console
  const root = createRoot(document.createElement('div'))
  const pass = (ms = 10) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  const draw = async (wanted: string | null, readers = 1) => {
    await act(async () =>
      root.render(
        <ConsoleContext value={value}>
          {Array.from({ length: readers }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <Reader key={at} at={at} wanted={wanted} />
          ))}
        </ConsoleContext>,
      ),
    )
    await pass()
  }
  await draw(key)
  return {
    requests,
    seen,
    pass,
    draw,
    async answer(at: number, text: string | Error) {
      if (typeof text === 'string') requests[at]?.resolve(text)
      else requests[at]?.reject(text)
      await pass()
    },
    async event(about: ConsoleEvent['about'] | null) {
      for (const wake of wakes) wake(about && ({ about } as ConsoleEvent))
      await pass(200)
    },
    async end() {
      await act(async () => root.unmount())
      await pass()
    },
  }
}
const shown = ({ data, error, loading }: Asked<string> = {} as Asked<string>) => [data, error?.code, loading]

test('old data stays while an event has it asked again, and an answer from before the event is not taken', async () => {
  const { requests, seen, answer, event, end } = await stage()
  expect(shown(seen[0])).toEqual([undefined, undefined, true])
  await event('draft')
  expect(requests).toHaveLength(2)
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  await answer(0, 'before')
  expect(shown(seen[0])).toEqual([undefined, undefined, true])
  await answer(1, 'one')
  expect(shown(seen[0])).toEqual(['one', undefined, false])
  await event('release')
  expect(requests).toHaveLength(2)
  await event(null)
  expect(shown(seen[0])).toEqual(['one', undefined, true])
  await answer(2, new ConsoleError('offline', 0, ''))
  expect(shown(seen[0])).toEqual(['one', 'offline', false])
  await end()
})

test('another key forgets the old answer, and no key asks nothing', async () => {
  const { requests, seen, answer, draw, event, end, pass } = await stage(null)
  expect(shown(seen[0])).toEqual([undefined, undefined, false])
  seen[0]?.again()
  await event('draft')
  expect(requests).toHaveLength(0)
  await draw('a')
  await answer(0, 'of a')
  await draw('b')
  expect(shown(seen[0])).toEqual([undefined, undefined, true])
  await answer(1, new TypeError('broken'))
  expect(shown(seen[0])).toEqual([undefined, 'internal', false])
  await act(async () => seen[0]?.put('put'))
  await pass()
  expect(shown(seen[0])).toEqual(['put', undefined, false])
  await end()
})

test('components that ask for the same share a request, and a page that comes back asks anew', async () => {
  const { requests, seen, answer, draw, event, end } = await stage(null)
  await draw('asked by two', 2)
  expect(requests).toHaveLength(1)
  await answer(0, 'one')
  expect(seen.map(shown)).toEqual([
    ['one', undefined, false],
    ['one', undefined, false],
  ])
  await event('draft')
  expect(requests, 'one for both').toHaveLength(2)
  await end()
  expect(requests[1]?.signal.aborted, 'nobody waits for it').toBe(true)
  const later = await stage()
  expect(shown(later.seen[0])).toEqual([undefined, undefined, true])
  await later.end()
})
