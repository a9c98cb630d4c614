import { defineFunction } from '#contract/functions/define.ts'
import { nicknameProblem } from '#contract/rules/nickname.rules.ts'

export const accountNicknameProblem = defineFunction({
  name: 'account.nicknameProblem',
  about: 'The problem of a nickname: "wrong", "reserved" for names of the platform and its operators, or nothing (empty).',
  params: { text: 'text' },
  result: 'text',
  examples: [
    { args: { text: 'Ann Lee' }, gives: '' },
    { args: { text: 'a_b' }, gives: 'wrong' },
    { args: { text: 'Adm1n' }, gives: 'reserved' },
  ],
  run: ({ text }) => ({ nickname_wrong: 'wrong', nickname_reserved: 'reserved', none: '' })[nicknameProblem(text) ?? 'none'],
})
