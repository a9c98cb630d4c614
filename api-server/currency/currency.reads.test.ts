import { expect, test } from 'vitest'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { Currency } from '#api-server/currency/currency.store.ts'

const usdt: Currency = { id: 3, code: 'USDT', name: 'Tether', scale: 8, status: 1, priceSymbol: null } as Currency

/** Reads with these answers of the database, in turn; an Error is thrown. */
function stage(...answers: (Currency[] | Error)[]) {
  let [now, asked] = [0, 0]
  const reads = createCurrencyReads({
    list: async () => {
      const answer = answers[asked++]!
      if (answer instanceof Error) throw answer
      return answer
    },
    clock: { now: () => now },
    lastPrice: () => undefined,
    quoteAge: () => undefined,
  })
  return { reads, later: (ms: number) => void (now += ms), asked: () => asked }
}

test('currencies are kept for ten seconds', async () => {
  const { reads, later, asked } = stage([usdt], [])
  await reads.list()
  later(10_000)
  expect([await reads.list(), asked()]).toEqual([[usdt], 1])
  later(1)
  expect([await reads.list(), asked()]).toEqual([[], 2])
})

test.each([
  ['an empty list', []],
  ['an error', new Error('down')],
])('%s is not kept', async (_, first) => {
  const { reads, asked } = stage(first as Currency[] | Error, [usdt])
  await reads.list().catch(() => {})
  expect([await reads.one(3), asked()]).toEqual([usdt, 2])
})
