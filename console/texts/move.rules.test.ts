import { expect, test } from 'vitest'
import { cellAfter } from '#console/texts/move.rules.ts'

test.for([
  ['ArrowUp', [1, 3], [0, 3]],
  ['ArrowUp', [0, 3], [0, 3]],
  ['ArrowDown', [1, 3], [2, 3]],
  ['ArrowDown', [4, 3], [4, 3]],
  ['ArrowLeft', [1, 3], [1, 2]],
  ['ArrowLeft', [1, 0], [1, 0]],
  ['ArrowRight', [1, 3], [1, 4]],
  ['ArrowRight', [1, 7], [1, 7]],
  ['Home', [1, 3], [1, 0]],
  ['End', [1, 3], [1, 7]],
  ['Enter', [1, 3], undefined],
  ['toString', [1, 3], undefined],
] as const)('%s from %s', ([key, [row, column], to]) => {
  expect(cellAfter(key, { row, column }, 5, 8)).toEqual(to && { row: to[0], column: to[1] })
})
