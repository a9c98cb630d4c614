import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCountStream } from '#console/back-office/useQueueCounts.ts'
import type { EventStream } from '#renderer/calls/event-stream.ts'

class Stream extends EventTarget {
  closed = false
  close(): void {
    this.closed = true
  }
  say(counts: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ counts }) }))
  }
  fails(): void {
    this.dispatchEvent(new Event('error'))
  }
}
let opened: Stream[] = []
const line = () =>
  createCountStream('/events', () => {
    const stream = new Stream()
    opened.push(stream)
    return stream as unknown as EventStream
  })

beforeEach(() => {
  opened = []
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('tells what it hears, and nothing of what is no count', () => {
  const office = line()
  let woken = 0
  office.subscribe(() => woken++)
  office.start()
  office.start()
  expect(opened.length).toBe(1)
  expect(office.counts()).toBeUndefined()
  opened[0]!.say({ recharges: 2 })
  expect(office.counts()).toEqual({ recharges: 2 })
  opened[0]!.dispatchEvent(new MessageEvent('message', { data: 'x' }))
  expect(woken).toBe(1)
})

test('a line that is lost is opened anew', () => {
  const office = line()
  office.start()
  opened[0]!.fails()
  expect(opened).toMatchObject([{ closed: true }])
  vi.advanceTimersByTime(30_000)
  expect(opened.length).toBe(2)
  opened[1]!.say({ to_send: 1 })
  expect(office.counts()).toEqual({ to_send: 1 })
})

test('who leaves takes his counts along, and nothing is opened after him', () => {
  const office = line()
  office.start()
  opened[0]!.say({ recharges: 5 })
  opened[0]!.fails()
  office.stop()
  vi.advanceTimersByTime(60_000)
  expect(office.counts()).toBeUndefined()
  expect(opened).toMatchObject([{ closed: true }])
})
