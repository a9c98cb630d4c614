import { expect, test } from 'vitest'
import { sparkPath } from '#widgets/parts/values/spark.rules.ts'

test.each([
  ['rises from corner to corner', ['1', '2', '3'], 'M0 9L10 5L20 1'],
  ['falls', ['3', '1'], 'M0 1L20 9'],
  ['lies in the middle when nothing moves', ['5', '5', '5'], 'M0 5L10 5L20 5'],
  ['takes exact text of any size', ['0.00000001', '0.00000003'], 'M0 9L20 1'],
  ['skips what is no number', ['1', 'x', '2'], 'M0 9L20 1'],
  ['draws nothing for one point', ['1'], ''],
  ['draws nothing for none', [], ''],
])('%s', (_, points, path) => {
  expect(sparkPath(points, 20, 10)).toBe(path)
})

test('never leaves its box', () => {
  const points = Array.from({ length: 24 }, (_, i) => String(60_000 + ((i * 7_919) % 997)))
  const numbers = sparkPath(points, 64, 28)
    .match(/[\d.]+/g)!
    .map(Number)
  for (let i = 0; i < numbers.length; i += 2) {
    expect(numbers[i]).toBeGreaterThanOrEqual(0)
    expect(numbers[i]).toBeLessThanOrEqual(64)
    expect(numbers[i + 1]).toBeGreaterThanOrEqual(1)
    expect(numbers[i + 1]).toBeLessThanOrEqual(27)
  }
})
