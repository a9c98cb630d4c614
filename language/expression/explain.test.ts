import { describe, expect, test } from 'vitest'
import { type Clause, explain } from '#language/expression/explain.ts'
import { scopeOf } from '#language/expression/expression.ts'
import { compileNamed, namedValues } from '#language/expression/named.ts'
import { toText } from '#language/text/infix.ts'

const scope = scopeOf({ form: { amount: '12' }, data: { info: { available: '10', enabled: true } }, session: { kyc: 0 } })
const v = (path: string) => ({ var: path })
const last = (clause: Clause): string[] => {
  const next = clause.children.filter((child) => child.deciding)
  return next.length === 0 ? [clause.text] : next.flatMap(last)
}

describe('the deciding clause', () => {
  const table: [string, unknown, string[], unknown][] = [
    [
      'the first false operand of and',
      { and: [v('data.info.enabled'), { '<=': [v('form.amount'), v('data.info.available')] }, v('session.kyc')] },
      ['form.amount <= data.info.available'],
      false,
    ],
    [
      'all operands of a true and',
      { and: [v('data.info.enabled'), { '!': v('session.kyc') }] },
      ['data.info.enabled', 'session.kyc'],
      true,
    ],
    ['the first true operand of or', { or: [v('session.kyc'), v('data.info.enabled')] }, ['data.info.enabled'], true],
    ['condition and branch of if', { if: [v('session.kyc'), 1, { '<': [1, 2] }] }, ['1 < 2'], true],
    ['what is missing', { '===': [{ '+': [v('data.info.fee'), 1] }, 3] }, ['data.info.fee'], false],
    ['a single path', 'session.kyc', ['session.kyc'], 0],
  ]
  test.each(table)('%s', (_, logic, deciding, value) => {
    const tree = explain(logic, scope)
    expect(last(tree)).toEqual(deciding)
    expect(tree.value).toEqual(value)
  })
})

test('a named value is explained by its expression', () => {
  const values = namedValues(compileNamed({ is_open: { and: [v('data.info.enabled'), v('session.kyc')] } }))
  const inside = { get: (root: string) => (root === 'values' ? values : scope.get(root)) }
  for (const logic of ['values.is_open', { and: [v('values.is_open'), v('data.info.enabled')] }]) {
    const tree = explain(logic, inside)
    expect(last(tree)).toEqual(['session.kyc'])
    expect(tree.value).toBe(0)
  }
})

describe('expressions as text', () => {
  const table: [unknown, string][] = [
    ['data.info.available', 'data.info.available'],
    [
      { and: [{ '<=': [v('form.amount'), 5] }, { or: [v('state.a'), { '!': v('state.b') }] }] },
      'form.amount <= 5 and (state.a or not state.b)',
    ],
    [{ '*': [{ '+': [1, v('state.a')] }, 2] }, '(1 + state.a) * 2'],
    [{ '-': [1, { '-': [2, 3] }] }, '1 - (2 - 3)'],
    [{ '-': [{ '-': [1, 2] }, 3] }, '1 - 2 - 3'],
    [{ '===': [v('state.tab'), 'hot'] }, "state.tab = 'hot'"],
    [{ '<': [1, v('state.a'), 3] }, '1 < state.a < 3'],
    [{ filter: [v('data.rows'), { '>': [v('price'), { var: ['', 0] }] }] }, 'filter(data.rows, .price > (. ?? 0))'],
    [{ has: 'data.x' }, 'has(data.x)'],
    [{ if: [true, 'a', null] }, "if(true, 'a', null)"],
    [{ in: ['a', ['a', 'b']] }, "'a' in ['a', 'b']"],
    [{ '!': { '===': [1, 2] } }, 'not 1 = 2'],
  ]
  test.each(table)('%j', (logic, text) => {
    expect(toText(logic)).toBe(text)
  })
})
