import { expect, test } from 'vitest'
import {
  allocate,
  allocationOf,
  dayMs,
  frozenAfter,
  hashOf,
  ieoOrderMachine,
  ieoSaleMachine,
  mustBeRate,
  mustFit,
  type ProjectTerms,
  projectState,
  rateOf,
  releaseShare,
  releaseTimes,
  wrongTerm,
} from '#api-server/ieo/ieo.rules.ts'
import { ieoGets } from '#contract/functions/ieo.gets.function.ts'
import { isLess } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'

const refusal = (work: () => unknown): string => {
  try {
    return `answered ${String(work())}`
  } catch (error) {
    if (error instanceof ApiProblem) return `${error.code} ${error.field ?? ''}`.trim()
    throw error
  }
}
const terms = (issue_total: string, issue_limit = issue_total, issue_step = '1') => ({ issue_total, issue_limit, issue_step })
const of = (amounts: readonly string[]) => amounts.map((amount, at) => ({ id: at + 1, amount }))
const passed = (amounts: readonly string[], ...offer: Parameters<typeof terms>) => [...allocate(of(amounts), terms(...offer)).values()]

test.each<[says: string, amounts: string[], offer: Parameters<typeof terms>, gets: string[]]>([
  ['all pass where they fit', ['600000', '400000'], ['1000000'], ['600000', '400000']],
  ['pro rata where they do not', ['600000', '900000', '500000'], ['1000000'], ['300000', '450000', '250000']],
  ['cut at the step, and the remainder stays', ['10', '10', '10'], ['20'], ['6', '6', '6']],
  ['in steps of ten', ['100', '100', '100'], ['200', '200', '10'], ['60', '60', '60']],
  ['less than a step gets nothing', ['1000', '1'], ['10'], ['9', '0']],
  ['nobody gets more than the limit', ['900', '100'], ['500', '300'], ['300', '100']],
  ['what the limit leaves is shared by the others', ['900', '300', '300'], ['600', '200'], ['200', '200', '200']],
  ['a limit that is reached in the second round', ['800', '200', '100'], ['400', '180'], ['180', '146', '73']],
  ['nobody gets more than was applied for', ['1000', '10'], ['600', '500'], ['500', '10']],
  ['the limit holds where all fit', ['300', '100'], ['1000', '200'], ['200', '100']],
  ['nobody has applied', [], ['1000'], []],
])('%s', (_says, amounts, offer, gets) => {
  const rows = of(amounts)
  const found = allocate(rows, terms(...offer))
  expect(rows.map(({ id }) => found.get(id))).toEqual(gets)
})

test('the example: what passes, what is charged and what returns', () => {
  const rows = [
    { id: 1, amount: '600000', frozen: '30000' },
    { id: 2, amount: '900000', frozen: '45000' },
    { id: 3, amount: '500000', frozen: '25000' },
  ].map((row) => ({ ...row, uid: row.id, pay_id: 3, scale: 8 }))
  const found = allocationOf(rows, terms('1000000'))
  expect(found.map((row) => [row.passed, row.charged, row.refunded])).toEqual([
    ['300000', '15000', '15000'],
    ['450000', '22500', '22500'],
    ['250000', '12500', '12500'],
  ])
  const sale = { id: 7, terms_version: 1 }
  const hash = hashOf(sale, found)
  expect(hashOf(sale, allocationOf([...rows].reverse(), terms('1000000')))).toBe(hash)
  expect(hashOf({ ...sale, terms_version: 2 }, found)).not.toBe(hash)
  expect(hashOf(sale, allocationOf([{ ...rows[0]!, amount: '600001' }, ...rows.slice(1)], terms('1000000')))).not.toBe(hash)
})

/** A generator of numbers that are the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
/** The slow model: one round after the other, with exact fractions, each customer looked at alone. */
function slowly(amounts: readonly bigint[], total: bigint, limit: bigint): bigint[] {
  const full = new Set<number>()
  const most = (at: number) => (amounts[at]! < limit ? amounts[at]! : limit)
  for (;;) {
    const open = amounts.map((_, at) => at).filter((at) => !full.has(at))
    let left = total
    for (const at of full) left -= most(at)
    let all = 0n
    for (const at of open) all += amounts[at]!
    const over = open.filter((at) => amounts[at]! * left > most(at) * all)
    if (!over.length) return amounts.map((amount, at) => (full.has(at) ? most(at) : (amount * left) / all))
    for (const at of over) full.add(at)
  }
}
test('allocations are those of a slow model, whatever the order, and never too much', () => {
  const random = numbers(20_261_130)
  for (let round = 0; round < 400; round++) {
    const amounts = Array.from({ length: 1 + random(12) }, () => BigInt(1 + random(random(2) ? 50 : 5_000)))
    const [total, limit] = [BigInt(1 + random(8_000)), BigInt(1 + random(3_000))]
    const offer = terms(String(total), String(limit < total ? limit : total))
    const rows = amounts.map((amount, at) => ({ id: at + 1, amount: String(amount) }))
    const found = allocate(rows, offer)
    expect(rows.map(({ id }) => BigInt(found.get(id)!))).toEqual(slowly(amounts, total, limit < total ? limit : total))
    const shuffled = allocate(
      [...rows].sort(() => random(3) - 1),
      offer,
    )
    expect(rows.map(({ id }) => shuffled.get(id))).toEqual(rows.map(({ id }) => found.get(id)))
    const sum = [...found.values()].reduce((all, one) => all + BigInt(one), 0n)
    expect(sum <= total).toBe(true)
    const all = amounts.reduce((one, other) => one + other, 0n)
    for (const { id, amount } of rows) {
      // The screen never promises more than the customer gets.
      const others = String(all - BigInt(amount))
      const shown = ieoGets.run({ tokens: amount, others, total: offer.issue_total, limit: offer.issue_limit, step: '1' })
      expect(isLess(found.get(id)!, shown), `${amount} of ${all}: ${shown} shown, ${found.get(id)} passed`).toBe(false)
    }
  }
})
test('splitting an application gains nothing', () => {
  expect(passed(['100', '50', '50'], '100')).toEqual(['50', '25', '25'])
  expect(passed(['100', '33', '33', '34'], '100')).toEqual(['50', '16', '16', '17'])
})

test.each<[says: string, before: [string, string] | undefined, amount: string, rate: string, frozen: string]>([
  ['a first one', undefined, '600000', '1', '30000'],
  ['a raised part at its own rate', ['1000', '0.00083334'], '2000', '50000', '0.00183334'],
  ['a lowered one by its share', ['2000', '0.00183334'], '1000', '1', '0.00091667'],
  ['the same amount', ['1000', '0.00083334'], '1000', '70000', '0.00083334'],
  ['rounded up', undefined, '1', '30000', '0.00000167'],
])('what is frozen: %s', (_says, before, amount, rate, frozen) => {
  const was = before && { amount: before[0], frozen: before[1] }
  expect(frozenAfter(was, amount, { price: '0.05', rate, scale: 8 })).toBe(frozen)
})

test.each<[typed: string, answer: string]>([
  ['100', 'answered 100'],
  ['1000', 'answered 1000'],
  ['90', 'amount_too_small amount'],
  ['105', 'amount_wrong amount'],
  ['0', 'amount_wrong amount'],
  ['-100', 'amount_wrong amount'],
  ['1e3', 'amount_wrong amount'],
  ['', 'amount_wrong amount'],
  ['1010', 'amount_too_large amount'],
])('an amount of %j: %s', (typed, answer) => {
  expect(refusal(() => mustFit(typed, { issue_price: '1', issue_total: '1000', issue_step: '10', issue_least: '100' }))).toBe(answer)
})

test.each<[market: string, decimals: number, rate: string]>([
  ['60000', 2, '59700'],
  ['60000.01', 2, '59700'],
  ['0.5', 4, '0.4975'],
])('the rate of a coin at %s with %i decimals is %s', (market, decimals, rate) => {
  expect(rateOf(market, decimals)).toBe(rate)
})
test.each<[shown: string, market: string, answer: string]>([
  ['59700', '60000', 'answered undefined'],
  ['60000', '60000', 'answered undefined'],
  ['60000.01', '60000', 'price_changed'],
  ['58800', '60000', 'answered undefined'],
  ['58799.99', '60000', 'price_changed'],
])('a shown rate of %s at %s: %s', (shown, market, answer) => {
  expect(refusal(() => mustBeRate(shown, market))).toBe(answer)
})

test.each<[sale: 'open' | 'paused' | 'ended', stage: 'sale' | 'allocated' | 'unlocked', now: number, state: string]>([
  ['open', 'sale', 99, 'warm_up'],
  ['open', 'sale', 100, 'in_progress'],
  ['open', 'sale', 199, 'in_progress'],
  ['open', 'sale', 200, 'ended'],
  ['paused', 'sale', 99, 'warm_up'],
  ['paused', 'sale', 150, 'paused'],
  ['paused', 'sale', 200, 'ended'],
  ['ended', 'sale', 150, 'ended'],
  ['open', 'allocated', 300, 'allocated'],
  ['open', 'unlocked', 300, 'unlocked'],
])('a sale that is %s, in stage %s, at %i is %s', (sale, stage, now, state) => {
  expect(projectState({ sale, stage, starts_at: 100, ends_at: 200 }, now)).toBe(state)
})

test('releases are at equal distances over the days of the lock, also over a leap day', () => {
  const lists_at = Date.parse('2028-02-27T06:30:00Z')
  expect(releaseTimes({ lists_at, lock_days: 3, releases: 3 }).map((at) => new Date(at).toISOString())).toEqual([
    '2028-02-28T06:30:00.000Z',
    '2028-02-29T06:30:00.000Z',
    '2028-03-01T06:30:00.000Z',
  ])
  expect(releaseTimes({ lists_at, lock_days: 0, releases: 1 })).toEqual([lists_at])
  expect(releaseTimes({ lists_at, lock_days: 10, releases: 4 })[0]).toBe(lists_at + 2.5 * dayMs)
  expect([1, 2, 3].map((number) => releaseShare(number, 3))).toEqual(['0.333333', '0.333333', '0.333334'])
})

const good: ProjectTerms = {
  token: 'NOVA',
  token_name: 'Nova',
  issue_price: '0.05',
  issue_total: 1000,
  issue_step: 10,
  issue_least: 10,
  issue_limit: 500,
  pay_coins: 'USDT,BTC',
  starts_at: 1_000,
  ends_at: 2_000,
  lists_at: 2_000,
  market: 'NOVAUSDT',
  lock_days: 30,
  releases: 3,
  risk: 4,
}
test.each<[over: Partial<ProjectTerms>, wrong: string | undefined]>([
  [{}, undefined],
  [{ token: 'nova' }, 'token'],
  [{ issue_total: 1005 }, 'issue_total'],
  [{ issue_least: 15 }, 'issue_least'],
  [{ issue_least: 510 }, 'issue_least'],
  [{ issue_limit: 505 }, 'issue_limit'],
  [{ issue_limit: 1010 }, 'issue_limit'],
  [{ ends_at: 1_000 }, 'ends_at'],
  [{ starts_at: 1, ends_at: 500, lists_at: 600 }, 'ends_at'],
  [{ lists_at: 1_999 }, 'lists_at'],
  [{ pay_coins: 'USDT,USDT' }, 'pay_coins'],
  [{ pay_coins: 'NOVA' }, 'pay_coins'],
  [{ lock_days: 2 }, 'releases'],
  [{ lock_days: 0, releases: 1 }, undefined],
])('terms with %j: %s', (over, wrong) => {
  expect(wrongTerm({ ...good, ...over }, undefined, 500)).toBe(wrong)
})
test('terms change only before the sale begins', () => {
  expect(wrongTerm(good, good, 999)).toBeUndefined()
  expect(wrongTerm(good, good, 1_000)).toBe('starts_at')
})

test('what is decided stays decided', () => {
  expect(['cancelled', 'unlocked', 'refunded'].filter((state) => !ieoOrderMachine.isEnd(state as 'cancelled'))).toEqual([])
  expect(ieoOrderMachine.next('locked', 'cancel')).toBeUndefined()
  expect(ieoSaleMachine.next('ended', 'resume')).toBeUndefined()
})
