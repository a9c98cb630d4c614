import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyPrice, createBook, type Incoming } from '#api-server/spot/core/book.ts'
import { createModel, type Model } from '#tests/support/spot-model.ts'

const limit = (id: number, owner: number, isBuy: boolean, price: number, quantity: number, over: Partial<Incoming> = {}): Incoming => ({
  id,
  owner,
  isBuy,
  limit: price,
  quantity,
  budget: Number.POSITIVE_INFINITY,
  rests: true,
  isWhole: false,
  isPassive: false,
  ...over,
})
const market = { rests: false }
const spends = (budget: number): Partial<Incoming> => ({ rests: false, quantity: Number.POSITIVE_INFINITY, budget })

/** The matches of an order that meets three asks: 4 at 99 of owner 1, then 6 of owner 2 and 5 of owner 3 at 100. */
test.each<[string, Incoming, { end: string; matches: [number, number, number][]; left: number }]>([
  [
    'a limit takes the best price first, then the earlier order',
    limit(9, 9, true, 100, 12),
    {
      end: 'filled',
      matches: [
        [1, 99, 4],
        [2, 100, 6],
        [3, 100, 2],
      ],
      left: 0,
    },
  ],
  ['what is left rests', limit(9, 9, true, 99, 6), { end: 'rests', matches: [[1, 99, 4]], left: 2 }],
  ['ioc: what is left expires', limit(9, 9, true, 99, 6, { rests: false }), { end: 'expired', matches: [[1, 99, 4]], left: 2 }],
  [
    'fok that is not filled does nothing',
    limit(9, 9, true, 99, 5, { rests: false, isWhole: true }),
    { end: 'order_not_filled', matches: [], left: 5 },
  ],
  [
    'fok that is filled',
    limit(9, 9, true, 100, 15, { rests: false, isWhole: true }),
    {
      end: 'filled',
      matches: [
        [1, 99, 4],
        [2, 100, 6],
        [3, 100, 5],
      ],
      left: 0,
    },
  ],
  ['fok stops at its owner', limit(9, 2, true, 100, 5, { rests: false, isWhole: true }), { end: 'order_not_filled', matches: [], left: 5 }],
  [
    'post-only that would match does nothing',
    limit(9, 9, true, 99, 1, { isPassive: true }),
    { end: 'order_would_match', matches: [], left: 1 },
  ],
  ['post-only below rests', limit(9, 9, true, 98, 1, { isPassive: true }), { end: 'rests', matches: [], left: 1 }],
  ['an order that meets its owner expires', limit(9, 2, true, 100, 12), { end: 'self_trade', matches: [[1, 99, 4]], left: 8 }],
  [
    'a market order takes every price',
    limit(9, 9, true, anyPrice.buy, 15, market),
    {
      end: 'filled',
      matches: [
        [1, 99, 4],
        [2, 100, 6],
        [3, 100, 5],
      ],
      left: 0,
    },
  ],
  [
    'a market order expires at the end of the book',
    limit(9, 9, true, anyPrice.buy, 16, market),
    {
      end: 'expired',
      matches: [
        [1, 99, 4],
        [2, 100, 6],
        [3, 100, 5],
      ],
      left: 1,
    },
  ],
  [
    'a budget is spent as far as whole lots go',
    limit(9, 9, true, anyPrice.buy, 0, spends(650)),
    {
      end: 'filled',
      matches: [
        [1, 99, 4],
        [2, 100, 2],
      ],
      left: 0,
    },
  ],
  ['a budget below one lot buys nothing', limit(9, 9, true, anyPrice.buy, 0, spends(98)), { end: 'filled', matches: [], left: 0 }],
  [
    'a budget that the book cannot take expires',
    limit(9, 9, true, anyPrice.buy, 0, spends(2000)),
    {
      end: 'expired',
      matches: [
        [1, 99, 4],
        [2, 100, 6],
        [3, 100, 5],
      ],
      left: 0,
    },
  ],
  ['a seller finds nobody', limit(9, 9, false, anyPrice.sell, 1, market), { end: 'expired', matches: [], left: 1 }],
])('%s', (_says, order, { end, matches, left }) => {
  const book = createBook()
  book.place(limit(1, 1, false, 99, 4))
  book.place(limit(2, 2, false, 100, 6))
  book.place(limit(3, 3, false, 100, 5))
  const placed = book.place(order)
  expect([placed.end, placed.matches.map(({ maker, price, quantity }) => [maker.id, price, quantity]), placed.left]).toEqual([
    end,
    matches,
    left,
  ])
})

type Step = { do: 'place'; order: Omit<Incoming, 'id'> } | { do: 'cancel'; at: number } | { do: 'undo'; steps: number }
const kinds = fc.constantFrom<Partial<Incoming>>({}, {}, {}, { rests: false }, { rests: false, isWhole: true }, { isPassive: true }, market)
const orders = fc
  .record({
    owner: fc.integer({ min: 0, max: 4 }),
    isBuy: fc.boolean(),
    limit: fc.integer({ min: 95, max: 105 }),
    quantity: fc.integer({ min: 1, max: 9 }),
    kind: kinds,
    budget: fc.integer({ min: 1, max: 3_000 }),
    isBudget: fc.integer({ min: 0, max: 9 }),
  })
  .map(
    ({ kind, budget, isBudget, ...order }): Omit<Incoming, 'id'> => ({
      ...limit(0, order.owner, order.isBuy, order.limit, order.quantity),
      ...(isBudget === 0 && order.isBuy ? { ...spends(budget), limit: anyPrice.buy, isWhole: kind.isWhole ?? false } : kind),
    }),
  )
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: orders.map((order): Step => ({ do: 'place', order })) },
    { weight: 2, arbitrary: fc.nat(200).map((at): Step => ({ do: 'cancel', at })) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }).map((count): Step => ({ do: 'undo', steps: count })) },
  ),
  { maxLength: 120 },
)

const state = (book: Pick<Model, 'orders'>) =>
  [true, false].map((isBuy) => book.orders(isBuy).map(({ id, owner, price, left }) => ({ id, owner, price, left })))

test('any run of orders fills as in a slow and obvious model, and can be undone exactly', () => {
  fc.assert(
    fc.property(steps, (run) => {
      const [book, model] = [createBook(), createModel()]
      let placed = 0
      let filled = 0
      /** Steps that are done for a trial and undone. */
      let trial: { left: number; before: unknown } | undefined
      const end = () => {
        book.rollback()
        expect(state(book)).toEqual(trial?.before)
        trial = undefined
      }
      for (const [at, step] of run.entries()) {
        if (trial && trial.left-- === 0) end()
        if (step.do === 'undo') {
          if (trial) continue
          trial = { left: step.steps, before: state(book) }
          book.begin()
          continue
        }
        if (step.do === 'cancel') {
          const found = book.cancel(step.at)
          if (!trial) expect(found?.left).toBe(model.cancel(step.at)?.left)
          continue
        }
        const order: Incoming = { ...step.order, id: at }
        const done = book.place(order)
        // A book after a mere trial is compared with the state before it.
        if (trial) continue
        const expected = model.place(order)
        const matches = done.matches.map(({ maker, price, quantity }) => ({ id: maker.id, price, quantity }))
        expect({ end: done.end, left: done.left, matches }).toEqual(expected)
        expect(state(book)).toEqual(state(model))
        for (const { price, quantity } of matches) {
          filled += quantity
          expect(order.isBuy ? price <= order.limit : price >= order.limit).toBe(true)
        }
        const bought = matches.reduce((sum, one) => sum + one.quantity, 0)
        if (order.quantity !== Number.POSITIVE_INFINITY) expect(bought + done.left).toBe(order.quantity)
        expect(matches.reduce((sum, one) => sum + one.quantity * one.price, 0)).toBeLessThanOrEqual(order.budget)
        placed += done.end === 'rests' ? done.left + bought : bought
        const [bid, ask] = [book.best(true), book.best(false)]
        if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask)
      }
      if (trial) end()
      // Each fill takes the same from both sides, so what came in is what was filled twice, what was taken back and what is left.
      const resting = [true, false].flatMap((isBuy) => book.orders(isBuy)).reduce((sum, one) => sum + one.left, 0)
      expect(placed - 2 * filled - model.takenBack()).toBe(resting)
      for (const isBuy of [true, false]) {
        const byPrice = new Map<number, number>()
        for (const { price, left } of book.orders(isBuy)) byPrice.set(price, (byPrice.get(price) ?? 0) + left)
        expect(book.levels(isBuy, 100)).toEqual([...byPrice])
      }
    }),
    { numRuns: 400 },
  )
})

test('a book is put together again in the order of priority, and never crossed', () => {
  const book = createBook()
  book.rest({ id: 1, owner: 1, isBuy: true, limit: 100, left: 2 })
  book.rest({ id: 2, owner: 2, isBuy: true, limit: 100, left: 3 })
  expect(() => book.rest({ id: 3, owner: 3, isBuy: false, limit: 100, left: 1 })).toThrow('order 3 crosses order 1')
  expect(book.orders(true).map(({ id, left }) => [id, left])).toEqual([
    [1, 2],
    [2, 3],
  ])
})
