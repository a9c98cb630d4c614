import { expect, test } from 'vitest'
import { knownOf, spoken } from '#console/editor/document/known.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import type { Catalog, JsonSchema } from '#language/types/catalog.ts'

const words = {
  'a.sum': '{{amount}} {{ coin }}',
  'a.to_withdraw': 'Goes to',
  'a.days_one': '{{count}} day',
  'a.days_other': '{{count}} days',
}
test.each([
  ['Literal', 'Literal'],
  [3, '3'],
  [{ $: 'params.rate' }, '{params.rate}'],
  [{ $t: 'a.sum' }, '{{amount}} {{ coin }}'],
  [{ $t: 'a.sum', amount: { $: 'params.pay' }, coin: 'BTC' }, '{params.pay} BTC'],
  [{ $t: 'a.sum', amount: { $: { '+': [1, 2] } } }, '{{amount}} {{ coin }}'],
  [{ $t: 'a.to', context: 'withdraw' }, 'Goes to'],
  [{ $t: 'a.to', context: { $: 'item.type' } }, 'a.to'],
  [{ $t: 'a.days', count: { $: 'data.n' } }, '{data.n} days'],
  [{ $t: 'a.unknown' }, 'a.unknown'],
  [null, ''],
])('%j reads %j', (value, text) => {
  expect(spoken(value, words)).toBe(text)
})

test('what a prompt reads must be given, whatever its type', () => {
  const prompt = { kind: 'prompt', id: 'pay', title: 'Pay?', rows: [{ label: 'To', value: { $: 'params.to' }, show: 'has(params.to)' }] }
  const schemas = metaSchemas() as Record<string, JsonSchema>
  const { params } = knownOf(
    [prompt, { kind: 'prompt', id: 'half' }],
    {},
    { calls: [], widgets: [], icons: [] } as unknown as Catalog,
    schemas,
    'en',
  )
  expect(params['prompt/pay']).toEqual({ type: 'object', properties: { to: schemas.prompt?.properties?.title }, required: ['to'] })
  expect(params['prompt/half']).toEqual({ type: 'object', properties: {}, required: [] })
})
