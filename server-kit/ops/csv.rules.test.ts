import { expect, test } from 'vitest'
import { cellOf, lineOf } from '#server-kit/ops/csv.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

test.each<[value: string | number | null, cell: string]>([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [-3, '-3'],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  [' blanks ', '" blanks "'],
  ['=1+1', "'=1+1"],
  ['+41 79', "'+41 79"],
  ['-1', '-1'],
  ['-12.5', '-12.5'],
  ['-12.5+1', "'-12.5+1"],
  ['+1', "'+1"],
  ['-0.25', '-0.25'],
  ['-1+1', "'-1+1"],
  ['@sum(a1)', "'@sum(a1)"],
  ['\t=1+1', `"'\t=1+1"`],
  ['\0=1+1', "'\0=1+1"],
  ['a;b', '"a;b"'],
  ['  =1+1', "'  =1+1"],
  ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
  ['a=1', 'a=1'],
  ['{"from":["editor"]}', '"{""from"":[""editor""]}"'],
])('%j', (value, cell) => {
  expect(cellOf(value)).toBe(cell)
})

test.each(badTexts('csv').map((line) => [nameOf(line), line.value] as const))('spreadsheets do not evaluate %s', (_name, value) => {
  expect(cellOf(value).replace(/^"/, '')).toMatch(/^'/)
})

test('a line ends with CRLF (RFC 4180)', () => {
  expect(lineOf([1, 'a', null, 'b,c'])).toBe('1,a,,"b,c"\r\n')
})
