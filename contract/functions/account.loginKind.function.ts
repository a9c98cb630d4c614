import { defineFunction } from '#contract/functions/define.ts'
import { loginKind } from '#contract/rules/contact.rules.ts'

export const accountLoginKind = defineFunction({
  name: 'account.loginKind',
  about:
    'How a login name looks while it is typed: email, national (a number that needs an area), whole (a number with its country), or empty.',
  params: { text: 'text' },
  result: 'text',
  examples: [
    { args: { text: '13912345678' }, gives: 'national' },
    { args: { text: '+8613912345678' }, gives: 'whole' },
    { args: { text: 'ann@' }, gives: 'email' },
  ],
  run: ({ text }) => loginKind(text),
})
