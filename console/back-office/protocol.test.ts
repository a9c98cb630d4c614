import { expect, test } from 'vitest'
import { badgeOf, readCounts, readFromBackOffice, readToBackOffice, waiting } from '#console/back-office/protocol.ts'
import { written } from '#console/frames/protocol.ts'

const origin = 'https://desk.example'
const frame = {}
const from = { origin, window: frame }
const open = { kind: 'open', address: '/recharge?id=3' } as const

test('a message is heard from our own frame of our own origin alone', () => {
  const event = { data: written(open), origin, source: frame }
  expect(readToBackOffice(event, from)).toMatchObject(open)
  expect(readToBackOffice({ ...event, origin: 'https://other.example' }, from)).toBeUndefined()
  expect(readToBackOffice({ ...event, source: {} }, from)).toBeUndefined()
  expect(readFromBackOffice(event, from)).toBeUndefined()
})

test.each([
  [null],
  ['open'],
  [{ kind: 'open', address: '/' }],
  [written({ kind: 'shout' })],
  [written({ kind: 'open', address: 'https://evil.example' })],
  [written({ kind: 'who', who: { language: 'en', reviewer: 'yes', administrator: false } })],
  [written({ kind: 'counts', counts: { recharges: '2' } })],
])('what is no message of ours is not heard: %j', (data) => {
  expect(readToBackOffice({ data, origin, source: frame }, from)).toBeUndefined()
})

test.each([
  ['{"counts":{"recharges":2,"withdrawals":1,"verifications":0,"traders":3,"otc":5,"to_send":4}}', 15],
  ['{"counts":{"recharges":2,"withdrawals":"9"}}', 2],
  ['{"counts":{}}', 0],
  ['{"counts":null}', undefined],
  ['{}', undefined],
  ['null', undefined],
  ['', undefined],
])('counts of %j', (text, all) => {
  const counts = readCounts(text)
  expect(counts && waiting(counts)).toBe(all)
})

test.each([
  [0, ''],
  [-1, ''],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('a badge of %i', (count, text) => {
  expect(badgeOf(count)).toBe(text)
})
