import { expect, test } from 'vitest'
import { problemRange } from '#language/text/problem-range.ts'

const text = `{
  "kind": "screen", "id": "a", "title": "@home.hott",
  "body": [
    { "id": "n", "widget": "buttn", "props": { "label": { "$t": "home.hot", "sum": "= data.b.minn" }, "toone": "danger" },
      "show": "data.a.x and not data.b.minn"
    },
    { "id": "m", "widget": "text", "props": { "text": "= cat('\\"', data.b.minn, params.)", "lines": 3 }, "show": "len(" }
  ]
}
`
const rows: [string, string, string, number?][] = [
  ['/body/0/widget', 'there is no widget "buttn"', '"buttn"'],
  ['/body/0/props/toone', 'button has no prop "toone"', '"toone"'],
  ['/title/$t', 'there is no text "home.hott"', '"@home.hott"'],
  ['/body/0/props/label/$t', 'there is no text "home.hot"', '"home.hot"'],
  ['/body/0/props/label/sum/$', 'there is no "minn" in "data.b"', 'data.b.minn'],
  ['/body/0/show/and/1/!/var', 'there is no "minn" in "data.b"', 'data.b.minn'],
  ['/body/0/show/and/0', 'always true', 'data.a.x'],
  ['/body/0/show', 'always true', '"data.a.x and not data.b.minn"'],
  ['/body/0/props', 'a button needs a label', '"props"'],
  [
    '/body/0',
    'a node that nothing can show',
    '{ "id": "n", "widget": "buttn", "props": { "label": { "$t": "home.hot", "sum": "= data.b.minn" }, "toone": "danger" },',
  ],
  ['/body/1/props/text/$', 'a path goes on here', '.', 7],
  ['/body/1/show', 'something is missing', '"', 5],
  ['/body/1/props/lines', 'at most 2', '3'],
  [
    '/body/1/props/gone',
    'is missing',
    '{ "id": "m", "widget": "text", "props": { "text": "= cat(\'\\"\', data.b.minn, params.)", "lines": 3 }, "show": "len(" }',
  ],
  ['', 'it has no data', '"kind": "screen", "id": "a", "title": "@home.hott",'],
]
test.each(rows)('%s: %s stands at %s', (pointer, message, marked, column) => {
  const line = pointer === '' ? 2 : 7
  const { from, to } = problemRange(text, { pointer, message, line, ...(column !== undefined && { column }) })
  expect(text.slice(from, to)).toBe(marked)
})

test('for a text that is not JSON, the line of the problem is marked', () => {
  const { from, to } = problemRange('{\n  "a": 1,\n  b\n}\n', { pointer: '', message: 'not JSON', line: 3 })
  expect([from, to]).toEqual([14, 15])
})
