import { expect, test } from 'vitest'
import { type Change, lintWith } from '#language/testdata/linted.ts'

const form = 'schemas/forms/order.json'
const hidden: Change = [form, '/fields/0/show', { has: 'state.step' }]
const v = (path: string) => ({ var: path })
const rule = (test: unknown, more: object = {}): Change => [
  form,
  '/rules/0',
  { test, message: { $t: 'orders.too_much' }, field: 'amount', ...more },
]
const group: Change = [form, '/groups/0/show', { has: 'state.step' }]

test.each<[name: string, changes: Change[], said: RegExp[]]>([
  ['a rule of the form', [hidden, rule({ '!==': [v('form.symbol'), 'x'] })], [/^\/rules\/0\/test .*"symbol" can be hidden/]],
  ['a field of a group that can be hidden', [group, rule({ in: [v('form.symbol'), 'x'] })], [/"symbol" can be hidden/]],
  ['a field in brackets', [hidden, rule({ has: 'data.list[form.symbol].id' })], []],
  ['a field that is asked about', [hidden, rule({ or: [{ '!': { has: 'form.symbol' } }, { '!==': [v('form.symbol'), 'x'] }] })], []],
  ['a field that something stands in for', [hidden, rule({ '!==': [{ var: ['form.symbol', ''] }, 'x'] })], []],
  ['a field that always shows', [rule({ '!==': [v('form.symbol'), 'x'] })], []],
  [
    'a bound and what a validation is handed',
    [
      hidden,
      rule(true),
      [form, '/fields/1/max', { $: 'form.symbol' }],
      [form, '/fields/1/rules/0/with', { least: { $: { '+': [v('form.symbol'), 1] } } }],
    ],
    [/^\/fields\/1\/max .*"symbol"/, /^\/fields\/1\/rules\/0\/with\/least .*"symbol"/],
  ],
  [
    'a field that is hidden at the same times as the field of the rule',
    [
      hidden,
      rule(true),
      [form, '/fields/1/show', { has: 'state.step' }],
      [form, '/fields/1/rules/1/test', { '!==': [v('value'), v('form.symbol')] }],
    ],
    [],
  ],
  [
    'a branch that is taken while the field shows',
    [hidden, rule({ if: [{ has: 'state.step' }, { '!==': [v('form.symbol'), 'x'] }, true] })],
    [],
  ],
  [
    'a branch that is taken while it does not show, and one of another condition',
    [
      hidden,
      rule({ if: [{ has: 'state.step' }, true, { '!==': [v('form.symbol'), 'x'] }] }),
      [form, '/fields/1/rules/1/test', { if: [{ has: 'data' }, v('form.symbol'), true] }],
    ],
    [/^\/fields\/1\/rules\/1\/test .*"symbol"/, /^\/rules\/0\/test .*"symbol"/],
  ],
  ['an operand behind the condition', [hidden, rule({ and: [{ has: 'state.step' }, { '!==': [v('form.symbol'), 'x'] }] })], []],
  [
    'an operand before the condition',
    [hidden, rule({ and: [{ '!==': [v('form.symbol'), 'x'] }, { has: 'state.step' }] })],
    [/"symbol" can be hidden/],
  ],
  ['a warning without a place', [hidden, rule(true, { field: 'symbol', level: 'warn' })], [/^\/rules\/0\/field .*cannot be ticked/]],
])('%s', (_, changes, said) => {
  const found = lintWith(changes).filter(({ check, severity }) => check === 'hidden-fields' && severity === 'warn')
  expect(found.length).toBe(said.length)
  for (const [i, one] of said.entries()) expect(`${found[i]?.pointer} ${found[i]?.message}`).toMatch(one)
})
