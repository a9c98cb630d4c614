import { expect, test } from 'vitest'
import type { CallRow } from '#contract/call.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { contract } from '#contract/contract.ts'

/** Calls of customers and operators that are not GET and take no key, with the reason. */
const without: Record<string, string> = {
  'common.upload': 'unclaimed uploads are removed, so a second copy does no harm',
  'office.messageOpen': 'each look is a row of the log, and its answer, a message with a code, must not be stored',
  'user.totpSetup': 'changes nothing, and returns the same secret until it is confirmed',
}
/** Calls with GET that change something, as the specification requires. */
const changingGets = ['user.logout']

const rows: [string, CallRow][] = Object.entries({ ...contract, ...backOfficeCalls })

test('every call that changes something takes a key, or has a reason not to', () => {
  const missing = rows
    .filter(([name, row]) => row.auth !== 'none' && row.method !== 'GET' && !row.keyed && !(name in without) && !row.reads)
    .map(([name]) => name)
  expect(missing).toEqual([])
  expect(rows.length).toBeGreaterThan(60)
})

test('calls that only read, and calls of visitors, take no key', () => {
  const wrong = rows.filter(([name, row]) => row.keyed && (row.method === 'GET' || row.auth === 'none' || name in without))
  expect(wrong.map(([name]) => name)).toEqual([])
})

/** Calls of visitors that change, send or count something, and therefore are no source of a screen. */
const visitorsWrite = /^(?:auth\.sms(?:Mail|Send)|user\.(?:(?:ems|sms)Send|check(?:Email|Mobile)|register|login|resetpwd))$/

test('a call either reads or changes something', () => {
  const writes = (name: string, row: CallRow) =>
    row.keyed !== undefined || name in without || changingGets.includes(name) || visitorsWrite.test(name)
  const undecided = rows.filter(([name, row]) => (row.reads === true) === writes(name, row)).map(([name]) => name)
  expect(undecided).toEqual([])
})

test('every listed reason is still needed', () => {
  const names = rows.map(([name]) => name)
  expect([...Object.keys(without), ...changingGets].filter((name) => !names.includes(name))).toEqual([])
})
