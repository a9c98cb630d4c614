import { expect, test } from 'vitest'
import { type AxisForm, axisForm } from '#widgets/line-chart/axis.rules.ts'

test.each<[string, string, boolean, AxisForm]>([
  ['0', '2000', false, { kind: 'amount' }],
  ['12000', '2000', false, { kind: 'compact' }],
  ['1000', '500', false, { kind: 'amount' }],
  ['64020', '20', false, { kind: 'amount' }],
  ['2500000', '500000', false, { kind: 'compact' }],
  ['2510000', '10000', false, { kind: 'amount' }],
  ['-12000', '2000', false, { kind: 'compact' }],
  ['0.05', '0.01', true, { kind: 'percent', decimals: 0 }],
  ['0.005', '0.005', true, { kind: 'percent', decimals: 1 }],
  ['2', '1', true, { kind: 'percent', decimals: 0 }],
])('%s, %s to the next, percent %j', (text, step, percent, form) => {
  expect(axisForm(text, step, percent)).toEqual(form)
})
