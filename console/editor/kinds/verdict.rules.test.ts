import { expect, test } from 'vitest'
import { typedValue, verdictOf } from '#console/editor/kinds/verdict.rules.ts'

const atLeast = { '>=': [{ var: 'value' }, { var: 'params.least' }] }

test.for([
  [atLeast, '10', { least: '9.5' }, { kind: 'right' }],
  [atLeast, '9', { least: '9.5' }, { kind: 'wrong' }],
  [atLeast, '9', {}, { kind: 'unsure', missing: ['params.least'] }],
  [{ '>': [{ len: { var: 'value' } }, 0] }, '', {}, { kind: 'wrong' }],
  [{ match: [{ var: 'value' }, 'digits'] }, '12a', {}, { kind: 'wrong' }],
] as const)('%j of %j with %j', ([rule, value, params, verdict]) => {
  expect(verdictOf(rule, value, params)).toEqual(verdict)
})

test.for([{ '==': [1, 1] }, { nothing: [] }, { var: 'window.x' }])('a rule that may not be is told, not thrown: %j', (rule) => {
  expect(verdictOf(rule, 'x', {}).kind).toBe('broken')
})

test('what is typed is held as a form holds it', () => {
  expect(typedValue('1', 'text')).toBe('1')
  expect(typedValue('a, b,', 'list')).toEqual(['a', 'b'])
  expect(typedValue('true', 'switch')).toBe(true)
})
