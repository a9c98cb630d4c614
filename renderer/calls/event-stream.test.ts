import { expect, test } from 'vitest'
import { type EventStream, followStream } from '#renderer/calls/event-stream.ts'
import { retryDelayMs } from '#renderer/calls/retry.ts'

class Stream extends EventTarget {
  closed = false
  close(): void {
    this.closed = true
  }
  is(name: string, data?: string): void {
    this.dispatchEvent(new MessageEvent(name, { data }))
  }
}

function stage() {
  const opened: Stream[] = []
  const heard: string[] = []
  const waits: number[] = []
  let wake: (() => void) | undefined
  const end = followStream({
    open() {
      opened.push(new Stream())
      return opened.at(-1) as unknown as EventStream
    },
    timers: {
      setTimeout(run, ms) {
        waits.push(ms)
        wake = run
      },
      clearTimeout() {
        wake = undefined
      },
    },
    random: () => 0.5,
    on: { news: (data) => heard.push(`news ${data}`) },
    opened: () => heard.push('opened'),
    lost: () => heard.push('lost'),
  })
  return { opened, heard, waits, end, wake: () => wake?.() }
}

test('what is said is told, and nothing of a stream that is gone', () => {
  const { opened, heard, wake } = stage()
  opened[0]!.is('open')
  opened[0]!.is('news', '1')
  opened[0]!.is('other', '2')
  opened[0]!.is('error')
  opened[0]!.is('news', '3')
  opened[0]!.is('open')
  wake()
  opened[1]!.is('open')
  expect(heard).toEqual(['opened', 'news 1', 'lost', 'opened'])
  expect(opened[0]!.closed).toBe(true)
})

test('it comes back later each time, and soon again after a stream that stood', () => {
  const { opened, waits, wake } = stage()
  for (let at = 0; at < 3; at++) {
    opened.at(-1)!.is('error')
    wake()
  }
  opened.at(-1)!.is('open')
  opened.at(-1)!.is('error')
  expect(waits).toEqual([0, 1, 2, 0].map((tries) => retryDelayMs(tries, 0.5)))
  expect(waits[1]).toBeGreaterThan(waits[0]!)
})

test('nothing is open after the end', () => {
  const { opened, end, wake } = stage()
  opened[0]!.is('error')
  end()
  wake()
  expect(opened.map(({ closed }) => closed)).toEqual([true])
})
