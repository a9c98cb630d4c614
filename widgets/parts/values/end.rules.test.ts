import { expect, test } from 'vitest'
import { asksForMore, type EndState } from '#widgets/parts/values/end.rules.ts'

const at = (change: Partial<EndState>): EndState => ({ count: 10, more: true, loading: false, near: true, askedAt: -1, ...change })

test.each([
  ['the end comes near', at({}), true],
  ['the next page made the list longer', at({ count: 20, askedAt: 10 }), true],
  ['not: far from the end', at({ near: false }), false],
  ['not: no further page', at({ more: false }), false],
  ['not: a page is on its way', at({ loading: true }), false],
  ['not: already asked here', at({ askedAt: 10 }), false],
  ['not: nothing shown yet', at({ count: 0 }), false],
])('%s', (_, state, asks) => {
  expect(asksForMore(state)).toBe(asks)
})
