import { defineFunction } from '#contract/functions/define.ts'
import { signatureOf } from '#contract/rules/nickname.rules.ts'

export const accountSignature = defineFunction({
  name: 'account.signature',
  about: 'The signature as the server stores it; empty for a text that is none.',
  params: { text: 'text' },
  result: 'text',
  examples: [
    { args: { text: ' slow  is smooth ' }, gives: 'slow is smooth' },
    { args: { text: '<b>' }, gives: '' },
  ],
  run: ({ text }) => signatureOf(text) ?? '',
})
