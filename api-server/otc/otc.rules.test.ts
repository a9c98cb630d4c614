import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  agreedBy,
  daysOf,
  leftOf,
  mostOf,
  type OfferAction,
  type OrderAction,
  offerMachine,
  orderMachine,
  readOffer,
} from '#api-server/otc/otc.rules.ts'
import { type OtcOfferState, otcOfferStates } from '#contract/calls/office.otc.calls.ts'
import { type OtcOrderState, otcOrderStates } from '#contract/calls/otc.calls.ts'
import { otcTotal } from '#contract/functions/otc.total.function.ts'
import { ApiProblem } from '#contract/problem.ts'

const refusal = (work: () => unknown): string => {
  try {
    return `answered ${JSON.stringify(work())}`
  } catch (error) {
    if (error instanceof ApiProblem) return [error.code, error.field].filter(Boolean).join(' ')
    throw error
  }
}

const offerActions: OfferAction[] = ['agree', 'withdraw', 'refuse', 'close']
const orderActions: OrderAction[] = ['settle', 'reject', 'cancel']
const offerMoves = new Map<string, OtcOfferState>([
  ['proposed agree', 'open'],
  ['proposed withdraw', 'withdrawn'],
  ['proposed refuse', 'refused'],
  ['open close', 'closed'],
])
test.each(otcOfferStates.flatMap((state) => offerActions.map((action): [OtcOfferState, OfferAction] => [state, action])))(
  'an offer that is %s: %s',
  (state, action) => {
    expect(offerMachine.next(state, action)).toBe(offerMoves.get(`${state} ${action}`))
  },
)
const orderMoves = new Map<string, OtcOrderState>([
  ['reviewing settle', 'settled'],
  ['reviewing reject', 'rejected'],
  ['reviewing cancel', 'cancelled'],
])
test.each(otcOrderStates.flatMap((state) => orderActions.map((action): [OtcOrderState, OrderAction] => [state, action])))(
  'an order that is %s: %s',
  (state, action) => {
    expect(orderMachine.next(state, action)).toBe(orderMoves.get(`${state} ${action}`))
  },
)

const scales = { scale: 8, quoteScale: 6 }
const now = Date.parse('2026-11-20T09:00:00Z')
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const typed = { side: 'buy', price: '50000.50', amount_min: '0.1', amount_max: '2', whole: '10' } as const

test.each([
  ['2026-11-19', '2026-11-20'],
  ['2026-12-31', '2027-02-28'],
  [undefined, undefined],
])('the days of an offer are those that were typed: %s to %s', (from, until) => {
  const read = readOffer({ ...typed, from: from && day(from), until: until && day(until) } as typeof typed, scales, now)
  expect(daysOf(read)).toEqual({ first_day: from ?? null, last_day: until ?? null })
})

test('an offer is read as exact text, to the end of its last day', () => {
  expect(readOffer({ ...typed, from: day('2026-11-19'), until: day('2026-11-20') }, scales, now)).toEqual({
    side: 'buy',
    price: '50000.5',
    amount_min: '0.1',
    amount_max: '2',
    whole: '10',
    from_at: day('2026-11-19'),
    until_at: day('2026-11-21'),
  })
  expect(readOffer(typed, scales, now)).toMatchObject({ from_at: null, until_at: null })
})

test.each<[Partial<Parameters<typeof readOffer>[0]>, string]>([
  [{ price: '0' }, 'price_wrong price'],
  [{ price: '-1' }, 'price_wrong price'],
  [{ price: '1e3' }, 'price_wrong price'],
  [{ price: '0.000000001' }, 'price_wrong price'],
  [{ price: '1000000000.1' }, 'price_wrong price'],
  [{ amount_min: '0' }, 'amount_wrong amount_min'],
  [{ amount_min: '0.000000001' }, 'amount_wrong amount_min'],
  [{ amount_max: 'two' }, 'amount_wrong amount_max'],
  [{ whole: '' }, 'amount_wrong whole'],
  [{ amount_max: '0.09' }, 'amount_too_small amount_max'],
  [{ whole: '1.99' }, 'amount_too_small whole'],
  [{ whole: '1000000000000001' }, 'amount_too_large whole'],
  [{ whole: '100000000000' }, 'amount_too_large whole'],
  [{ price: '0.00000001', amount_min: '0.1' }, 'amount_too_small amount_min'],
  [{ until: day('2026-11-19') }, 'range_reversed until'],
  [{ from: day('2026-11-25'), until: day('2026-11-24') }, 'range_reversed until'],
])('an offer with %j is refused: %s', (over, problem) => {
  expect(refusal(() => readOffer({ ...typed, ...over }, scales, now))).toBe(problem)
})

const offer = {
  side: 'sell',
  price: '3333.333333',
  amount_min: '0.1',
  amount_max: '2',
  whole: '10',
  taken: '0',
  from_at: now - 1,
  until_at: now + 1,
  status: 'open',
} as const

test.each<[over: Partial<Record<keyof typeof offer, unknown>>, amount: string, at: number, outcome: string]>([
  [{}, '1.00', now, 'answered {"amount":"1","total":"3333.333333"}'],
  [{}, '0.3333333', now, 'answered {"amount":"0.3333333","total":"1111.110999"}'],
  [{ side: 'buy' }, '0.3333333', now, 'answered {"amount":"0.3333333","total":"1111.111"}'],
  [{}, '0.1', now, 'answered {"amount":"0.1","total":"333.333333"}'],
  [{}, '2', now, 'answered {"amount":"2","total":"6666.666666"}'],
  [{}, '1', now - 1, 'answered {"amount":"1","total":"3333.333333"}'],
  [{}, '1', now - 2, 'offer_closed offer_id'],
  [{}, '1', now + 1, 'offer_closed offer_id'],
  [{ status: 'proposed' }, '1', now, 'offer_closed offer_id'],
  [{ status: 'closed' }, '1', now, 'offer_closed offer_id'],
  [{ status: 'withdrawn' }, '1', now, 'offer_closed offer_id'],
  [{ taken: '9.91' }, '0.1', now, 'offer_closed offer_id'],
  [{ taken: '9.9' }, '0.1', now, 'answered {"amount":"0.1","total":"333.333333"}'],
  [{ taken: '9.9' }, '0.11', now, 'amount_too_large amount'],
  [{}, '0.09', now, 'amount_too_small amount'],
  [{}, '2.00000001', now, 'amount_too_large amount'],
  [{}, '0.100000001', now, 'amount_wrong amount'],
  [{}, '0', now, 'amount_wrong amount'],
  [{}, '-1', now, 'amount_wrong amount'],
  [{}, '1,5', now, 'amount_wrong amount'],
])('from an offer with %j an order of %s at %s: %s', (over, amount, at, outcome) => {
  const from = { ...offer, from_at: now - 1, until_at: now + 1, ...over } as Parameters<typeof agreedBy>[0]
  expect(refusal(() => agreedBy(from, amount, scales, at))).toBe(outcome)
})

test('what is left, and the most of one order', () => {
  expect([
    leftOf({ whole: '10', taken: '9.5' }),
    mostOf({ whole: '10', taken: '9.5', amount_max: '2' }),
    mostOf({ ...offer, taken: '1' }),
  ]).toEqual(['0.5', '0.5', '2'])
})

test('who buys pays no less and who sells gets no more than the exact value, and less than the last digit besides', () => {
  const decimal = (most: number, decimals: number) => fc.integer({ min: 1, max: most }).map((n) => (n / 10 ** decimals).toFixed(decimals))
  fc.assert(
    fc.property(decimal(1_000_000_000, 4), decimal(1_000_000_000, 8), fc.integer({ min: 0, max: 8 }), (price, amount, scale) => {
      const [up, down] = (['buy', 'sell'] as const).map((side) => otcTotal.run({ side, price, amount, scale }))
      const exact = BigInt(price.replace('.', '')) * BigInt(amount.replace('.', ''))
      const units = (text: string) => {
        const [whole, part = ''] = text.split('.')
        return BigInt(whole! + part.padEnd(12, '0'))
      }
      const digit = 10n ** BigInt(12 - scale)
      expect(units(up!) - exact >= 0n && units(up!) - exact < digit).toBe(true)
      expect(exact - units(down!) >= 0n && exact - units(down!) < digit).toBe(true)
    }),
  )
})
