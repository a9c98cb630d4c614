import { defineFunction } from '#contract/functions/define.ts'
import { loginOf } from '#contract/rules/contact.rules.ts'

export const accountLogin = defineFunction({
  name: 'account.login',
  about:
    'The e-mail address or mobile number that a typed login name means, as the server stores it; empty for a name that no account can have.',
  params: { text: 'text', area: 'text' },
  result: 'text',
  examples: [
    { args: { text: '0086 139 1234 5678', area: '852' }, gives: '+86 13912345678' },
    { args: { text: 'bob', area: '86' }, gives: '' },
  ],
  run: ({ text, area }) => loginOf(text, area)?.address ?? '',
})
