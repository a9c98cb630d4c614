import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Refuse } from '#config-server/refuse.ts'
import { createEvents } from '#config-server/serving/events.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'

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
  /** Releases that it was notified of. */
  releases() {
    return this.written.flatMap((text) => [...text.matchAll(/"release":(\d+)/g)].map(([, number]) => Number(number)))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const request = (address: string) => ({ method: 'GET', headers: {}, socket: { remoteAddress: address } }) as unknown as IncomingMessage

function stage(count: number, perAddressMax = 10_000) {
  const events = createEvents({ security: [], trusts: () => false, refuse: () => undefined, now: () => undefined, perAddressMax })
  const clients = Array.from({ length: count }, () => new Client())
  for (const one of clients) events.open(request('203.0.113.9'), one as unknown as ServerResponse)
  const notified = (release: number) => clients.filter((one) => one.releases().includes(release)).length
  return { events, clients, notified }
}

describe('a release', () => {
  test('is told to a few at once', () => {
    const { events, notified } = stage(150)
    events.tell({ release: 2, hash: 'b' })
    expect(notified(2)).toBe(150)
  })
  test('is told to ten thousand in turns, all within a second', async () => {
    const { events, notified } = stage(10_000)
    events.tell({ release: 2, hash: 'b' })
    expect(notified(2)).toBeLessThanOrEqual(200)
    await vi.advanceTimersByTimeAsync(500)
    expect(notified(2)).toBeGreaterThan(4_000)
    expect(notified(2)).toBeLessThan(6_000)
    await vi.advanceTimersByTimeAsync(500)
    expect(notified(2)).toBe(10_000)
  })
  test('that follows at once is told to everybody, the one before to who had not heard of it', async () => {
    const { events, clients, notified } = stage(2_000)
    events.tell({ release: 2, hash: 'b' })
    events.tell({ release: 3, hash: 'c' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(notified(3)).toBe(2_000)
    expect(notified(2)).toBe(200)
    for (const one of clients) expect([[2, 3], [3]]).toContainEqual(one.releases())
  })
  test('is not written to who has gone, or reads nothing', async () => {
    const { events, clients, notified } = stage(600)
    clients[599]!.destroy()
    clients[598]!.writableLength = 100_000
    events.tell({ release: 2, hash: 'b' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(notified(2)).toBe(598)
    expect(events.clients()).toBe(598)
  })
  test('is told to nobody after the end', async () => {
    const { events, notified } = stage(600)
    events.tell({ release: 2, hash: 'b' })
    events.close()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(notified(2)).toBe(200)
  })
})

describe('streams of one address', () => {
  const { trusts } = createSecurity({ trustProxy: [] })
  const refused: unknown[] = []
  const refuse = ((_res, name, more) => void refused.push([name, more])) as Refuse
  const opened = (perAddressMax?: number) => {
    refused.splice(0)
    const events = createEvents({ security: [], trusts, refuse, now: () => undefined, ...(perAddressMax && { perAddressMax }) })
    const open = (address: string, headers = {}) => {
      const client = new Client()
      events.open({ ...request(address), headers } as IncomingMessage, client as unknown as ServerResponse)
      return client
    }
    return { events, open }
  }
  const tooMany = ['too_many_requests', [['Retry-After', '30']]]

  test('one too many is told when to come back; another address is served, and so is the next when one has left', () => {
    const { events, open } = opened(2)
    const [one] = [open('2001:db8:1:2::1'), open('2001:db8:1:2::2')]
    open('2001:db8:1:2::3')
    expect([refused, events.clients()]).toEqual([[tooMany], 2])
    open('2001:db8:1:3::1')
    expect([refused.length, events.clients()]).toEqual([1, 3])
    one.destroy()
    open('2001:db8:1:2::3')
    expect([refused.length, events.clients()]).toEqual([1, 3])
  })

  test('three hundred behind one address are welcome; two thousand are not', () => {
    const { events, open } = opened()
    for (let i = 0; i < 300; i++) open('203.0.113.9')
    expect([refused.length, events.clients()]).toEqual([0, 300])
    for (let i = 300; i < 2_000; i++) open('203.0.113.9')
    expect([refused.length, events.clients()]).toEqual([1_500, 500])
  })

  test('behind a local proxy that is not trusted clients cannot be told apart, and none is stopped for the others', () => {
    const { events, open } = opened(2)
    for (let i = 0; i < 5; i++) open('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })
    expect([refused, events.clients()]).toEqual([[], 5])
  })
})
