import { expect, test } from 'vitest'
import { squares } from '#widgets/parts/qr/qr.rules.ts'

test.each([
  [['..', '..'], ''],
  [['#.', '..'], 'M0 0h1v1H0z'],
  [['##', '.#'], 'M0 0h2v1H0zM1 1h1v1H1z'],
  [['#.#', '...', '.##'], 'M0 0h1v1H0zM2 0h1v1H2zM1 2h2v1H1z'],
])('%j', (rows, path) => {
  expect(squares(rows.length, (row, column) => rows[row]![column] === '#')).toBe(path)
})
