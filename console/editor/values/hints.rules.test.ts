import { expect, test } from 'vitest'
import { hintsFor, wordBefore } from '#console/editor/values/hints.rules.ts'

test.each([
  ['', ''],
  ['data.inf', 'data.inf'],
  ["cat(data.name, ' ', params.", 'params.'],
  ['not ', ''],
  ['data.list[params.at].na', 'data.list[params.at].na'],
  ['1 + fo', 'fo'],
  ["format('", ''],
])('%j ends with the word %j', (text, word) => {
  expect(wordBefore(text)).toBe(word)
})

const paths = ['data', 'data.info', 'form.amount', 'format.x', 'wallet.withdrawFee('].map((path) => ({ path, type: '' }))
test.each([
  ['data', ['data.info']],
  ['form', ['form.amount', 'format.x', 'format(']],
  ['wallet.', ['wallet.withdrawFee(']],
  ['floor', ['floorTo(']],
  ['var', []],
  ['zz', []],
])('%j goes on as %j', (word, wanted) => {
  expect(hintsFor(word, paths).map(({ path }) => path)).toEqual(wanted)
})
