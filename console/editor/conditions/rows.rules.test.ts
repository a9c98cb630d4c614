import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isComplete, rowsOf, textOf } from '#console/editor/conditions/rows.rules.ts'
import { parseLogic, sameLogic } from '#language/text/logic-text.ts'

const literal = (value: string | number | boolean) => ({ kind: 'literal', value }) as const

test.for([
  ['session.logged_in', 'all', [{ subject: 'session.logged_in', operator: 'yes' }]],
  ['not session.logged_in', 'all', [{ subject: 'session.logged_in', operator: 'no' }]],
  [
    "session.kyc >= 1 and session.language = 'th'",
    'all',
    [
      { subject: 'session.kyc', operator: 'at_least', value: literal(1) },
      { subject: 'session.language', operator: 'is', value: literal('th') },
    ],
  ],
  [
    "state.tab in ['a', 'b'] or empty(form.note)",
    'any',
    [
      { subject: 'state.tab', operator: 'one_of', value: { kind: 'list', values: ['a', 'b'] } },
      { subject: 'form.note', operator: 'unfilled' },
    ],
  ],
  [
    'form.amount <= data.info.max',
    'all',
    [{ subject: 'form.amount', operator: 'at_most', value: { kind: 'path', path: 'data.info.max' } }],
  ],
  ['session.user.created > now() - days(30)', 'all', [{ subject: 'session.user.created', operator: 'within', value: literal(30) }]],
  ['session.user.created <= now() - days(30)', 'all', [{ subject: 'session.user.created', operator: 'before', value: literal(30) }]],
  ['not empty(form.note)', 'all', [{ subject: 'form.note', operator: 'filled' }]],
  ['', 'all', []],
] as const)('"%s" has the rows %j %j', ([text, joined, rows]) => {
  const made = rowsOf(text)
  expect(made).toEqual({ join: joined, rows })
  expect(textOf(made!)).toBe(text === '' ? undefined : text)
})

test.for([
  'form.a and (form.b or form.c)',
  'len(form.text) > 3',
  'form.amount * 2 > 10',
  "if(form.a, 'x', 'y') = 'x'",
  'form.amount <=',
  'has(form.a)',
  "data.note ?? 'none'",
  '1 <= form.a <= 5',
])('"%s" stays an expression', (text) => {
  expect(rowsOf(text)).toBeNull()
})

test('a row that lacks its subject or its value is incomplete, and gives no expression', () => {
  expect(isComplete({ subject: '', operator: 'yes' })).toBe(false)
  expect(isComplete({ subject: 'form.a', operator: 'is' })).toBe(false)
  expect(isComplete({ subject: 'form.a', operator: 'is', value: literal('') })).toBe(false)
  expect(isComplete({ subject: 'form.a', operator: 'one_of', value: { kind: 'list', values: [] } })).toBe(false)
  expect(
    textOf({
      join: 'all',
      rows: [
        { subject: 'form.a', operator: 'yes' },
        { subject: '', operator: 'yes' },
      ],
    }),
  ).toBeUndefined()
})

test('no condition of a shipped document changes its meaning in rows', () => {
  const folder = join(import.meta.dirname, '../../../schemas')
  let shown = 0
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json') || file.startsWith('meta')) continue
    for (const [, text] of readFileSync(join(folder, file), 'utf8').matchAll(/"(?:show|enable|when|if|test)": ("(?:[^"\\]|\\.)*")/g)) {
      const logic = JSON.parse(text!) as string
      const rows = rowsOf(logic)
      if (!rows) continue
      shown += 1
      const [before, after] = [parseLogic(logic), parseLogic(textOf(rows)!)]
      expect(before.ok && after.ok && sameLogic(before.logic, after.logic), `${file}: ${logic}`).toBe(true)
    }
  }
  expect(shown).toBeGreaterThan(100)
})
