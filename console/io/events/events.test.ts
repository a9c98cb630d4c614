import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEvents } from '#console/io/events/events.ts'
import type { ConsoleEvent, Present } from '#language/publish/publishing.ts'
import type { EventStream } from '#renderer/calls/event-stream.ts'

class Stream extends EventTarget {
  closed = false
  constructor(readonly url: string) {
    super()
  }
  close(): void {
    this.closed = true
  }
  is(name: 'open' | 'renew'): void {
    this.dispatchEvent(new Event(name))
  }
  fails(): void {
    this.dispatchEvent(new Event('error'))
  }
  say(name: 'message' | 'presence', data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
  presence(draft: number, ...names: string[]): void {
    this.say('presence', { draft, others: names.map((name) => ({ name, paths: [] })) })
  }
}

function stage() {
  const opened: Stream[] = []
  const heard: (ConsoleEvent | null)[] = []
  const seen: string[] = []
  const events = createEvents(
    (place) => `/events?${JSON.stringify(place)}`,
    (url) => {
      const stream = new Stream(url)
      opened.push(stream)
      return stream as unknown as EventStream
    },
  )
  events.subscribe((event) => void heard.push(event))
  const see = (others: readonly Present[]) => void seen.push(others.map(({ name }) => name).join())
  const streams = () => opened.map(({ url, closed }) => `${closed ? 'closed' : 'open'} ${url.slice(8)}`)
  return { events, opened, heard, seen, see, streams }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('another file opens a second stream, which takes the place of the first once it is open', () => {
  const { events, opened, heard, seen, see, streams } = stage()
  events.start()
  opened[0]!.is('open')
  const leave = events.watch({ draft: 1 }, see)
  leave()
  events.watch({ draft: 1, path: 'a.json' }, see)
  expect(streams()).toEqual(['open {}'])
  vi.advanceTimersByTime(200)
  opened[0]!.say('message', { about: 'draft', id: 1 })
  expect(streams()).toEqual(['open {}', 'open {"draft":1,"path":"a.json"}'])
  opened[1]!.is('open')
  opened[1]!.presence(1, 'bob')
  opened[1]!.presence(2, 'cid')
  expect(streams()[0]).toBe('closed {}')
  // Nothing was lost, so nothing is asked for anew.
  expect([heard, seen]).toEqual([[{ about: 'draft', id: 1 }], ['bob']])
})

test('a page that is left says so, and is told nothing more', () => {
  const { events, opened, seen, see, streams } = stage()
  const leave = events.watch({ draft: 1 }, see)
  events.start()
  opened[0]!.is('open')
  leave()
  opened[0]!.presence(1, 'bob')
  vi.advanceTimersByTime(200)
  opened[1]!.is('open')
  expect([streams(), seen]).toEqual([['closed {"draft":1}', 'open {}'], []])
})

test('a sign of life is a new stream for the same page', () => {
  const { events, opened, heard, seen, see, streams } = stage()
  events.watch({ draft: 1 }, see)
  events.start()
  opened[0]!.is('open')
  opened[0]!.presence(1, 'bob')
  opened[0]!.is('renew')
  expect(streams()).toEqual(['open {"draft":1}', 'open {"draft":1}'])
  opened[1]!.is('open')
  expect([streams()[0], heard, seen]).toEqual(['closed {"draft":1}', [], ['bob']])
})

test('nobody is shown while the stream is lost, and everything is asked for once it is back', () => {
  const { events, opened, heard, seen, see, streams } = stage()
  events.watch({ draft: 1 }, see)
  events.start()
  opened[0]!.is('open')
  opened[0]!.presence(1, 'bob')
  opened[0]!.fails()
  expect([seen, streams()]).toEqual([['bob', ''], ['closed {"draft":1}']])
  vi.advanceTimersByTime(30_000)
  opened[1]!.is('open')
  opened[1]!.presence(1, 'bob')
  expect([heard, seen]).toEqual([[null], ['bob', '', 'bob']])
  opened[1]!.fails()
  vi.advanceTimersByTime(30_000)
  opened[2]!.is('open')
  expect([heard, streams().slice(1)]).toEqual([
    [null, null],
    ['closed {"draft":1}', 'open {"draft":1}'],
  ])
})

test('a second stream that is refused leaves the first one, and is tried again', () => {
  const { events, opened, heard, seen, see, streams } = stage()
  events.start()
  opened[0]!.is('open')
  events.watch({ draft: 1 }, see)
  vi.advanceTimersByTime(200)
  opened[1]!.fails()
  expect([streams()[0], heard, seen]).toEqual(['open {}', [], []])
  vi.advanceTimersByTime(30_000)
  expect(streams().length).toBe(3)
})

test('nothing is open after the end', () => {
  const { events, opened, seen, see } = stage()
  events.watch({ draft: 1 }, see)
  events.start()
  opened[0]!.is('open')
  opened[0]!.is('renew')
  events.stop()
  vi.advanceTimersByTime(60_000)
  expect([opened.map(({ closed }) => closed), seen]).toEqual([[true, true], ['']])
})
