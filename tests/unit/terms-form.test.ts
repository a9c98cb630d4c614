import { expect, test } from 'vitest'
import type { TermFields } from '#api-server/kit/terms.rules.ts'
import { products } from '#api-server/products.ts'
import { tradingTerms } from '#api-server/trading/terms.ts'
import { walletTerms } from '#api-server/wallet/wallet.terms.ts'
import words from '#console/locales/en/office.json'
import { termStates } from '#contract/calls/office.terms.calls.ts'
import { termsForm } from '#scripts/terms-form.ts'

const all = [...Object.values(tradingTerms), ...Object.values(walletTerms), ...products.flatMap(({ terms }) => terms ?? [])]
const defined = (product: string, fields: TermFields) => ({ product, fields, checks: [] })
interface Field {
  name: string
  type: string
  show: string
  rules?: { test: string }[]
}
const fieldsOf = (definitions: Parameters<typeof termsForm>[0]) => (JSON.parse(termsForm(definitions)) as { fields: Field[] }).fields

test('each member is a field of its kind, with the rule of the server, shown for its products alone', () => {
  const fields = fieldsOf([
    defined('one', { share: { kind: 'decimal' }, risk: { kind: 'whole', most: '5' } }),
    defined('two', {
      yearly: { kind: 'percent', above: '0', below: '1000' },
      ends_at: { kind: 'time', fixed: true },
      share: { kind: 'decimal' },
    }),
  ])
  expect(fields.map(({ name, type, show, rules }) => [name, type, show, rules![0]!.test])).toEqual([
    ['share', 'decimal', "params.product in ['one', 'two']", "terms.fits('decimal', value, '> 0')"],
    ['risk', 'integer', "params.product = 'one'", "terms.fits('whole', value, '>= 1, <= 5')"],
    ['yearly', 'decimal', "params.product = 'two'", "terms.fits('percent', value, '> 0, < 1000')"],
    ['ends_at', 'string', "params.product = 'two' and not has(params.key)", "terms.fits('time', value, '')"],
  ])
})

test('a member that the calls do not take, and one name for two things, are refused', () => {
  expect(() => termsForm([defined('one', { colour: { kind: 'text' } })])).toThrow('lacks colour of one')
  const clash = [defined('one', { risk: { kind: 'whole', most: '5' } }), defined('two', { risk: { kind: 'whole', most: '9' } })]
  expect(() => termsForm(clash)).toThrow('two and one mean different things by risk')
})

test('product, members, hints, choices and states of all terms have texts in the back office', () => {
  const keys = all.flatMap(({ product, fields }) => [
    `product_${product}`,
    ...Object.entries(fields).flatMap(([name, field]) => [
      `term_${name}`,
      ...(field.hint ? [`hint_${name}`] : []),
      ...(field.kind === 'choice' ? field.values.map((value) => `choice_${name}_${value}`) : []),
    ]),
  ])
  expect([...keys, ...termStates.map((state) => `terms_state_${state}`)].filter((key) => !(key in words))).toEqual([])
})
