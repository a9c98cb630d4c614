import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEventStreams } from '#server-kit/http/sse.ts'

class Client extends EventEmitter {
  written: string[] = []
  head: unknown[] = []
  writableLength = 0
  writableEnded = false
  destroyed = false
  writeHead(...head: unknown[]) {
    this.head = head
  }
  write(text: string) {
    this.written.push(text)
  }
  end() {
    this.writableEnded = true
    this.emit('close')
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function stage(onHeartbeat?: () => void) {
  const limits = { heartbeatMs: 1_000, unreadBytesMax: 100, max: 3, perKeyMax: 2 }
  const streams = createEventStreams<string>({ ...limits, headers: [['X-One', '1']], ...(onHeartbeat && { onHeartbeat }) })
  const open = (key: string | undefined, method = 'GET') => {
    const client = new Client()
    const place = streams.reserve(key)
    if (place.refused) return place.refused
    const [req, res] = [{ method } as IncomingMessage, client as unknown as ServerResponse]
    streams.open(req, res, { release: place.release, about: key ?? '', reconnectMs: 3_000, first: 'data: 1\n\n' })
    return client
  }
  return { streams, open }
}

test('a stream begins with its headers, the time to come back and the first text; HEAD gets the headers alone', () => {
  const { streams, open } = stage()
  const client = open('a') as Client
  const head = ['X-One', '1', 'Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', 'no-store, no-transform']
  expect(client.head).toEqual([200, [...head, 'X-Accel-Buffering', 'no']])
  expect(client.written).toEqual(['retry: 3000\n\ndata: 1\n\n'])
  const other = open('a', 'HEAD') as Client
  expect([other.head, other.written, other.writableEnded, streams.clients.size]).toEqual([client.head, [], true, 1])
  expect(open('a')).toBeInstanceOf(Client)
  streams.close()
})

test('places are limited in all and for each key, and given back once when a client leaves', () => {
  const { streams, open } = stage()
  const [first] = [open('a') as Client, open('a')]
  expect(open('a')).toBe('too_many_requests')
  open('b')
  expect(open('c')).toBe('busy')
  first.destroy()
  first.emit('error', new Error('reset'))
  expect([open('a'), open('a')]).toEqual([expect.any(Client), 'busy'])
  streams.close()
})

test('a place that is reserved counts, until it is released', () => {
  const { streams, open } = stage()
  const [one, two] = [streams.reserve('a'), streams.reserve('a')]
  expect(open('a')).toBe('too_many_requests')
  if (one.refused === undefined) one.release()
  if (two.refused === undefined) two.release()
  expect(open('a')).toBeInstanceOf(Client)
  streams.close()
})

test('a client that left before its stream was open takes no place', () => {
  const { streams } = stage()
  const client = new Client()
  client.destroy()
  const release = vi.fn()
  streams.open({ method: 'GET' } as IncomingMessage, client as unknown as ServerResponse, { release, about: '', reconnectMs: 1 })
  expect([streams.clients.size, release.mock.calls.length, client.head]).toEqual([0, 1, []])
  streams.close()
})

test('clients without a key are bounded in all alone', () => {
  const { streams, open } = stage()
  expect([open(undefined), open(undefined), open(undefined)]).toEqual(Array(3).fill(expect.any(Client)))
  expect(open(undefined)).toBe('busy')
  streams.close()
})

test('the heartbeat reaches all clients and drops one that reads nothing', () => {
  const beats = vi.fn()
  const { streams, open } = stage(beats)
  const [reader, deaf] = [open('a') as Client, open('b') as Client]
  deaf.writableLength = 101
  vi.advanceTimersByTime(1_000)
  expect([reader.written.at(-1), deaf.destroyed, streams.clients.size, beats.mock.calls.length]).toEqual([': \n\n', true, 1, 1])
  streams.close()
})

test('after the end every stream has ended, nobody comes in and nothing is sent', () => {
  const { streams, open } = stage()
  const client = open('a') as Client
  streams.close()
  expect([client.writableEnded, streams.clients.size, streams.isClosed, open('b')]).toEqual([true, 0, true, 'busy'])
  vi.advanceTimersByTime(5_000)
  streams.write(client as unknown as ServerResponse, 'data: 2\n\n')
  expect(client.written).toHaveLength(1)
})
