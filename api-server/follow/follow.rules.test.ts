import Big from 'big.js'
import { expect, test } from 'vitest'
import {
  accuracyOf,
  copyMachine,
  followMachine,
  hourOf,
  introductionOf,
  isLost,
  lotsToClose,
  readNumber,
  readStop,
  skipReasonOf,
  traderLotsAfter,
} from '#api-server/follow/follow.rules.ts'
import { followStates, type SkipReason } from '#contract/calls/follow.calls.ts'
import { followCopyLots } from '#contract/functions/follow.copyLots.function.ts'
import { plain } from '#contract/money.ts'
import { type ProblemCode, problems } from '#contract/problem.ts'

test.each(followStates.flatMap((from) => followStates.map((to) => [from, to] as const)))('a following from %s to %s', (from, to) => {
  expect(followMachine.allows(from, to)).toBe(['active cancelled', 'active lost'].includes(`${from} ${to}`))
})
test.each(copyMachine.states.flatMap((from) => copyMachine.states.map((to) => [from, to] as const)))('a copy from %s to %s', (from, to) => {
  expect(copyMachine.allows(from, to)).toBe(['open open', 'open closed', 'open own'].includes(`${from} ${to}`))
})

test.each<[type: 'multiple' | 'lots', number: string, trader: string, copy: string]>([
  ['multiple', '1', '10', '10'],
  ['multiple', '2', '0.5', '1'],
  ['multiple', '1.5', '3', '4.5'],
  ['multiple', '0.33', '10', '3.3'],
  ['multiple', '1.11', '1.11', '1.23'],
  ['multiple', '0.5', '2', '1'],
  ['multiple', '0.5', '1.99', '0'],
  ['multiple', '0.01', '99.99', '0'],
  ['multiple', '10000', '10000', '100000000'],
  ['lots', '3', '10', '3'],
  ['lots', '0.5', '10', '0.5'],
  ['lots', '3', '0.01', '3'],
])('by %s of %s, %s lots of the trader make %s', (type, number, lots, copy) => {
  expect(followCopyLots.run({ type, number, lots })).toBe(copy)
})

test.each<[held: string, before: string, left: string, closes: string]>([
  ['5', '10', '5', '2.5'],
  ['5', '10', '0', '5'],
  ['1', '3', '2', '0.33'],
  ['1', '3', '1', '0.66'],
  ['0.01', '10', '5', '0'],
  ['0.01', '10', '0', '0.01'],
  ['1.66', '1.11', '0.01', '1.64'],
  ['7', '10', '9.99', '0'],
  ['1000', '10', '9.99', '1'],
])('of %s lots, when the trader goes from %s to %s, %s are closed', (held, before, left, closes) => {
  expect(lotsToClose(held, { before, left })).toBe(closes)
})

test.each<[traderLots: string, held: string, left: string, after: string]>([
  ['10', '5', '2.5', '5'],
  ['10', '0.5', '0.49', '9.8'],
  ['3', '1', '0.67', '2.01'],
  ['1.11', '1.66', '0.02', '0.013373493976'],
])('a copy in line with %s lots of the trader that goes from %s to %s lots is in line with %s', (traderLots, held, left, after) => {
  expect(traderLotsAfter(traderLots, { held, left })).toBe(after)
})
test('a trader who closes in many small parts closes as much of a copy as one who closes at once', () => {
  let [held, traderLots] = ['0.5', '10']
  for (let left = 9.9; left > 4.95; left -= 0.1) {
    const closes = lotsToClose(held, { before: traderLots, left: left.toFixed(2) })
    if (closes === '0') continue
    const rest = plain(new Big(held).minus(closes))
    traderLots = traderLotsAfter(traderLots, { held, left: rest })
    held = rest
  }
  expect(held).toBe('0.25')
})

test.each<[string, string | undefined]>([
  ['1', '1'],
  ['0.50', '0.5'],
  ['0.01', '0.01'],
  ['10000', '10000'],
  ...['0', '0.001', '0.009', '-1', '10000.01', '1e2', '', ' 1', '١'].map((text): [string, undefined] => [text, undefined]),
])('the number %j reads as %s', (text, read) => {
  expect(readNumber(text)).toBe(read)
})
test.each<[string, string | undefined]>([
  ['500', '500'],
  ['0.01', '0.01'],
  ...['0', '0.001', '-5', 'all', '1000000000.01'].map((text): [string, undefined] => [text, undefined]),
])('the stop %j reads as %s', (text, read) => {
  expect(readStop(text, 2)).toBe(read)
})

test.each<[string | null, string[], boolean]>([
  [null, ['-1000000'], false],
  ['100', [], false],
  ['100', ['-99.99'], false],
  ['100', ['-100'], true],
  ['100', ['-150', '60'], false],
  ['100', ['-150', '50'], true],
  ['100', ['40', '-90', '-50.01'], true],
])('a stop at %s with results of %j: %s', (stop, results, lost) => {
  expect(isLost(stop, results)).toBe(lost)
})

test.each<[ProblemCode, SkipReason | undefined]>([
  ['insufficient_balance', 'balance'],
  ['too_many_open', 'too_many_open'],
  ['amount_too_large', 'size'],
  ['multiple_wrong', 'size'],
  ['market_halted', 'market'],
  ['account_frozen', 'frozen'],
  ['price_stale', undefined],
  ['busy', undefined],
  ['ledger_inconsistent', undefined],
])('%s skips as %s', (problem, reason) => {
  expect(skipReasonOf(problem)).toBe(reason)
  expect(problems[problem]).toBeDefined()
})

test.each<[string, string | undefined]>([
  ['I trade gold', 'I trade gold'],
  ['  two\n\tlines  ', 'two lines'],
  ['left‮right\u0007', 'leftright'],
  ['  ', undefined],
  ['​', undefined],
])('the introduction %j is kept as %j', (text, kept) => {
  expect(introductionOf(text)).toBe(kept)
})

test('accuracy counts winning positions, toward zero, and says nothing of none', () => {
  expect(accuracyOf({ winning: 2, closed: 3 })).toBe('0.6666')
  expect(accuracyOf({ winning: 0, closed: 3 })).toBe('0')
  expect(accuracyOf({ winning: 3, closed: 3 })).toBe('1')
  expect(accuracyOf({ winning: 0, closed: 0 })).toBeNull()
})
test('an hour begins at its first millisecond', () => {
  expect(hourOf(3_600_000)).toBe(3_600_000)
  expect(hourOf(7_199_999)).toBe(3_600_000)
})
