import { defineFunction } from '#contract/functions/define.ts'
import { canonicalEmail } from '#contract/rules/contact.rules.ts'

export const accountEmail = defineFunction({
  name: 'account.email',
  about: 'The e-mail address as the server stores it; empty for a text that is none.',
  params: { text: 'text' },
  result: 'text',
  examples: [
    { args: { text: ' Ann@Example.com ' }, gives: 'ann@example.com' },
    { args: { text: 'a..b@example.com' }, gives: '' },
  ],
  run: ({ text }) => canonicalEmail(text) ?? '',
})
