import { expect, test } from 'vitest'
import { holderName, personName } from '#contract/rules/name.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'
import { cases } from '#tests/support/one-rule.ts'

test.each(cases.names)('$text', ({ text, person, holder }) => {
  expect([personName(text) ?? '', holderName(text) ?? '']).toEqual([person, holder])
})
test.each(['買買提·吐爾遜', '김철수', '山田 太郎', "Siobhán O'Neil-Dupont", 'J. R. Müller Jr.', 'محمد علي', 'José', 'Smith, Ph.D., M.A.'])(
  '%s is a name',
  (name) => {
    expect(personName(name.normalize('NFD'))).toBe(name)
  },
)
test.each(['', ' ', 'Ann 2', 'Ann@Lee', 'Ann_Lee', '-Ann', 'Ann--- Lee', 'Ann\nLee<', 'Ann\u202eLee', 'Ann\u200bLee', '123', '😀😀'])(
  '%j is not a name',
  (text) => expect(personName(text)).toBeUndefined(),
)
test('every name of a person may stand on a card, and 80 signs are the most', () => {
  const long = `A${'b'.repeat(79)}`
  expect([personName(long), personName(`${long}b`), holderName(long), holderName(`${long}b`)]).toEqual([long, undefined, long, undefined])
})
test.each(badTexts('xss', 'sql', 'log', 'text-control').map((line) => [nameOf(line), line.value] as const))('%s', (_name, text) => {
  expect(personName(text) ?? 'Ann').toMatch(/^(?:[\p{L}\p{M} .,'·・/@()-]|\u200c|\u200d)+$/u)
  expect(holderName(text) ?? 'Ann').toMatch(/^(?:[\p{L}\p{M}\p{N} .,'·・&/@()-]|\u200c|\u200d)+$/u)
})
