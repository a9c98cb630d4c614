import { expect, test } from 'vitest'
import { cellOf, exportOf, exportRowsMax, lineOf } from '#server-kit/ops/csv.rules.ts'
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
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1+1', "'－1+1"],
  ['＠sum', "'＠sum"],
  ['\u3000＝1', "'\u3000＝1"],
  ['\u200b=1', "'\u200b=1"],
  ['－1', "'－1"],
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

test('a file has its titles first, counts the lines below them, and is named after its day (UTC)', () => {
  const file = { type: 'text/csv', name: 'tessera-orders-2026-11-27.csv' }
  const at = Date.parse('2026-11-27T23:59:59Z')
  const of = { titles: ['Number', 'Name'], line: ([id, name]: readonly [number, string]) => [id, name] }
  expect(exportOf('tessera-orders', at, [[1, '=1']], of)).toEqual({ ...file, text: "Number,Name\r\n1,'=1\r\n", rows: 1, cut: false })
  expect(exportOf('tessera-orders', at, [], of)).toEqual({ ...file, text: 'Number,Name\r\n', rows: 0, cut: false })
  const many = Array.from({ length: exportRowsMax + 1 }, (_, id) => [id, 'a'] as const)
  expect(exportOf('tessera-orders', at, many, of)).toMatchObject({ rows: exportRowsMax, cut: true })
  expect(exportOf('tessera-orders', at, many.slice(1), of)).toMatchObject({ rows: exportRowsMax, cut: false })
  expect(() => exportOf('tessera-orders', at, many, { ...of, line: () => [1] })).toThrow(
    'a row of tessera-orders has 1 cells, and 2 titles',
  )
})
