import { defineFunction } from '#contract/functions/define.ts'
import { canonicalMobile } from '#contract/rules/mobile.rules.ts'

export const accountMobile = defineFunction({
  name: 'account.mobile',
  about:
    'The mobile number as the server stores it; empty for one that no mobile phone of the country has. A number that names its country counts as such.',
  params: { area: 'text', text: 'text' },
  result: 'text',
  examples: [
    { args: { area: '44', text: '07911 123456' }, gives: '+44 7911123456' },
    { args: { area: '225', text: '07 12 34 56 78' }, gives: '+225 0712345678' },
    { args: { area: '86', text: '12345678901' }, gives: '' },
  ],
  run: ({ area, text }) => canonicalMobile(area, text) ?? '',
})
