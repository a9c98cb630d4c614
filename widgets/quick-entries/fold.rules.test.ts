import { expect, test } from 'vitest'
import { shownEntries } from '#widgets/quick-entries/fold.rules.ts'

test.each([
  ['fits one row', 4, 5, false, 4],
  ['fits two rows exactly: no place is lost to “more”', 10, 5, false, 10],
  ['does not fit', 11, 5, false, 9],
  ['does not fit, four columns', 18, 4, false, 7],
  ['opened', 18, 5, true, 18],
  ['none', 0, 5, false, 0],
])('%s', (_, count, columns, open, shown) => {
  expect(shownEntries(count, columns, open)).toBe(shown)
})
