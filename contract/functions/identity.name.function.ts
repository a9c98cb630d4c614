import { defineFunction } from '#contract/functions/define.ts'
import { personName } from '#contract/rules/name.rules.ts'

export const identityName = defineFunction({
  name: 'identity.name',
  about: 'The name of a person as the server stores it; empty for a text that is none.',
  params: { text: 'text' },
  result: 'text',
  examples: [
    { args: { text: 'Seán O’Brien' }, gives: "Seán O'Brien" },
    { args: { text: 'Raj a/l Kumar' }, gives: 'Raj a/l Kumar' },
    { args: { text: '<b>' }, gives: '' },
  ],
  run: ({ text }) => personName(text) ?? '',
})
