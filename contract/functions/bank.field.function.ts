import { defineFunction } from '#contract/functions/define.ts'
import { type CardField, cardField } from '#contract/rules/card.rules.ts'

export const bankField = defineFunction({
  name: 'bank.field',
  about: 'A field of a bank card, by its name, as the server stores it; empty for a wrong one.',
  params: { field: 'text', text: 'text' },
  result: 'text',
  examples: [
    { args: { field: 'alipay_account', text: '021-000-021' }, gives: '021000021' },
    { args: { field: 'alipay_account', text: '021000022' }, gives: '' },
    { args: { field: 'swift_code', text: 'harbhkhh' }, gives: 'HARBHKHH' },
  ],
  run: ({ field, text }) => cardField(field as CardField, text) ?? '',
})
