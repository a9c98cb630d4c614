import { defineFunction } from '#contract/functions/define.ts'
import { documentNumber, type IdType } from '#contract/rules/document.rules.ts'

export const identityNumber = defineFunction({
  name: 'identity.number',
  about: 'The number of an identity document as the server stores it; empty for a text that is none of its kind.',
  params: { type: 'text', text: 'text' },
  result: 'text',
  examples: [
    { args: { type: 'id_card', text: 'A123456(7)' }, gives: 'A1234567' },
    { args: { type: 'passport', text: 'k 1234567' }, gives: 'K1234567' },
    { args: { type: 'passport', text: '護照123456' }, gives: '' },
  ],
  run: ({ type, text }) => documentNumber(type as IdType, text) ?? '',
})
