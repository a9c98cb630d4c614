import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEvents } from '#config-server/events.ts'

class Client extends EventEmitter {
  written: string[] = []
  writableLength = 0
  destroyed = false
  writeHead() {
    return this
  }
  write(text: string) {
    this.written.push(text)
  }
  end() {
    this.emit('close')
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
  /** Releases that it was told of. */
  releases() {
    return this.written.flatMap((text) => [...text.matchAll(/"release":(\d+)/g)].map(([, number]) => Number(number)))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function stage(count: number) {
  const events = createEvents({ security: [], refuse: () => undefined, now: () => undefined })
  const clients = Array.from({ length: count }, () => new Client())
  for (const one of clients) events.open({ method: 'GET' } as IncomingMessage, one as unknown as ServerResponse)
  const told = (release: number) => clients.filter((one) => one.releases().includes(release)).length
  return { events, clients, told }
}

describe('a release', () => {
  test('is told to a few at once', () => {
    const { events, told } = stage(150)
    events.tell({ release: 2, hash: 'b' })
    expect(told(2)).toBe(150)
  })
  test('is told to ten thousand in turns, all within a second', async () => {
    const { events, told } = stage(10_000)
    events.tell({ release: 2, hash: 'b' })
    expect(told(2)).toBeLessThanOrEqual(200)
    await vi.advanceTimersByTimeAsync(500)
    expect(told(2)).toBeGreaterThan(4_000)
    expect(told(2)).toBeLessThan(6_000)
    await vi.advanceTimersByTimeAsync(500)
    expect(told(2)).toBe(10_000)
  })
  test('that follows at once is told to everybody, the one before to who had not heard of it', async () => {
    const { events, clients, told } = stage(2_000)
    events.tell({ release: 2, hash: 'b' })
    events.tell({ release: 3, hash: 'c' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told(3)).toBe(2_000)
    expect(told(2)).toBe(200)
    for (const one of clients) expect([[2, 3], [3]]).toContainEqual(one.releases())
  })
  test('is not written to who has gone, or reads nothing', async () => {
    const { events, clients, told } = stage(600)
    clients[599]!.destroy()
    clients[598]!.writableLength = 100_000
    events.tell({ release: 2, hash: 'b' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told(2)).toBe(598)
    expect(events.clients()).toBe(598)
  })
  test('is told to nobody after the end', async () => {
    const { events, told } = stage(600)
    events.tell({ release: 2, hash: 'b' })
    events.close()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told(2)).toBe(200)
  })
})
