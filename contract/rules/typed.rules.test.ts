import { expect, test } from 'vitest'
import { typedLine, typedName } from '#contract/rules/typed.rules.ts'

test.each([
  ['１２３　ＡＢ', '123 AB'],
  ['12\u00a034\u200956', '12 34 56'],
  ['\u202a+86\u202c', '+86'],
  ['12–34‑56−78', '12-34-56-78'],
  ['  a \n b ', 'a b'],
  ['', ''],
])('the line %j is %j', (text, line) => expect(typedLine(text)).toBe(line))

test.each([
  ['O’Brien', "O'Brien"],
  ['O`Brien', "O'Brien"],
  ['Anne—Marie', 'Anne-Marie'],
  ['e\u0301', 'é'],
  ['ＡＢ', 'AB'],
  ['ﾀﾛｳ', 'タロウ'],
  ['ทำ', 'ทำ'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['A\u200cB', 'AB'],
  ['A\u200fB\ufeff', 'AB'],
  ['A\u202eB', 'A\u202eB'],
])('the name %j is %j', (text, name) => expect(typedName(text)).toBe(name))
