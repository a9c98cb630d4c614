import { expect, test } from 'vitest'
import { addressKey, addressRange, createHolds, createQuickLimit } from '#server-kit/http/limiter.ts'

test.each<[ip: string, key: string]>([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2/64'],
  ['2001:db8::1', '2001:db8:0:0/64'],
  ['::1', '0:0:0:0/64'],
  ['', ''],
])('%s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

test.each<[ip: string, range: string]>([
  ['203.0.113.9', '203.0.113/24'],
  ['::ffff:203.0.113.200', '203.0.113/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1/48'],
  ['2001:0db8:0001:ffff::1', '2001:db8:1/48'],
  ['2001:db8::1', '2001:db8:0/48'],
  ['proxy', 'proxy'],
  ['', ''],
])('%s belongs to the network %s', (ip, range) => {
  expect(addressRange(ip)).toBe(range)
})

test('what a key holds counts until it is given back, and once', () => {
  const holds = createHolds()
  const [first] = [holds.take('203.0.113.9'), holds.take('203.0.113.9'), holds.take('198.51.100.1')]
  expect(['203.0.113.9', '198.51.100.1', '192.0.2.1'].map(holds.held)).toEqual([2, 1, 0])
  first()
  first()
  expect(holds.held('203.0.113.9')).toBe(1)
})

test('clients that cannot be told apart are not counted as one', () => {
  const holds = createHolds()
  holds.take(undefined)
  expect(holds.held(undefined)).toBe(0)
})

test('a client has so many requests in a window, is told how long it lasts, and stops nobody else', () => {
  const clock = { now: 1_000 }
  const ask = createQuickLimit({ requests: 2, seconds: 10, loopbackRequests: 4 }, () => clock.now)
  const waits = (key: string | undefined, times: number) => Array.from({ length: times }, () => ask(key))
  expect(waits('203.0.113.9', 3)).toEqual([0, 0, 10])
  expect(waits('198.51.100.1', 2)).toEqual([0, 0])
  expect(waits('127.0.0.1', 5)).toEqual([0, 0, 0, 0, 10])
  expect(waits('0:0:0:0/64', 5)).toEqual([0, 0, 0, 0, 10])
  expect(waits(undefined, 5)).toEqual([0, 0, 0, 0, 10])
  clock.now += 8_500
  expect(ask('203.0.113.9')).toBe(2)
  clock.now += 1_500
  expect(ask('203.0.113.9')).toBe(0)
  clock.now -= 3_600_000
  expect(waits('203.0.113.9', 3)).toEqual([0, 0, 10])
})
