import { expect, test } from 'vitest'
import { cellOf, csvOf } from '#api-server/wallet/statement.rules.ts'
import { badTexts, nameOf } from '#tests/support/bad-inputs.ts'

test.each([
  ['plain', 'plain'],
  ['-12.5', '-12.5'],
  ['0', '0'],
  ['-12.5+1', "'-12.5+1"],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['@x', "'@x"],
  [' =1', "' =1"],
  ['\t=1', `"'\t=1"`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('%j becomes %j', (text, cell) => {
  expect(cellOf(text)).toBe(cell)
})
test.each(badTexts('csv').map((line) => [nameOf(line), line.value] as const))('spreadsheets do not evaluate %s', (_name, value) => {
  expect(cellOf(value).replace(/^"/, '')).toMatch(/^'/)
})
test('lines end with CRLF (RFC 4180)', () => {
  expect(
    csvOf([
      ['a', 'b'],
      ['1,5', '-2'],
    ]),
  ).toBe('a,b\r\n"1,5",-2\r\n')
})
