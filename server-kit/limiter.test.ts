import { expect, test } from 'vitest'
import { addressKey, addressRange } from '#server-kit/limiter.ts'

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
  ['', ''],
])('%s belongs to the network %s', (ip, range) => {
  expect(addressRange(ip)).toBe(range)
})
