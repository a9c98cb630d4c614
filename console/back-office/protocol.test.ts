import { expect, test } from 'vitest'
import { badgeOf, readCounts, readFromBackOffice, readToBackOffice, waiting, written } from '#console/back-office/protocol.ts'

const origin = 'https://desk.example'
const frame = {}
const open = { kind: 'open', address: '/recharge?id=3' } as const

test('a message is heard from our own frame of our own origin alone', () => {
  const event = { data: written(open), origin, source: frame }
  expect(readToBackOffice(event, origin, frame)).toEqual(open)
  expect(readToBackOffice({ ...event, origin: 'https://other.example' }, origin, frame)).toBeUndefined()
  expect(readToBackOffice({ ...event, source: {} }, origin, frame)).toBeUndefined()
  expect(readFromBackOffice(event, origin, frame)).toBeUndefined()
})

test.each([
  [null],
  ['open'],
  [{ kind: 'open', address: '/' }],
  [{ 'tessera.back-office': null }],
  [{ 'tessera.back-office': { kind: 'shout' } }],
])('what is no message of ours is not heard: %j', (data) => {
  expect(readToBackOffice({ data, origin, source: frame }, origin, frame)).toBeUndefined()
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
