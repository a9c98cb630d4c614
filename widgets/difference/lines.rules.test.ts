import { expect, test } from 'vitest'
import { blocksOf, compareLines } from '#widgets/difference/lines.rules.ts'

const signs = { same: ' ', removed: '-', added: '+' }
const shown = (before: string | null, after: string | null) => compareLines(before, after).map(({ kind, text }) => signs[kind] + text)

test.each<[before: string | null, after: string | null, lines: string[]]>([
  ['a\nb\nc\n', 'a\nx\nc\n', [' a', '-b', '+x', ' c']],
  ['a\nb', 'a\nb\nc', [' a', ' b', '+c']],
  ['a\nb\nc', 'b\nc', ['-a', ' b', ' c']],
  ['a\nb\na\nb', 'b\na\nb\na', ['-a', ' b', ' a', ' b', '+a']],
  [null, 'a\nb', ['+a', '+b']],
  ['a', null, ['-a']],
  ['same', 'same', [' same']],
  ['', '', []],
])('from %j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines)
})

test('texts without a common line beyond the bound are shown as a whole', () => {
  const text = (sign: string) => Array.from({ length: 3_000 }, (_, i) => `${sign}${i}`).join('\n')
  const lines = compareLines(text('a'), text('b'))
  expect([lines.length, lines[0], lines[3_000]]).toEqual([6_000, { kind: 'removed', text: 'a0' }, { kind: 'added', text: 'b0' }])
})

test('equal lines far from a change are folded', () => {
  const text = (ninth: string) => ['1', '2', '3', '4', '5', '6', '7', '8', ninth, '10', '11', '12', '13', '14'].join('\n')
  const blocks = blocksOf(compareLines(text('9'), text('nine')))
  expect(blocks.map(({ kind, lines }) => `${kind} ${lines.map((line) => line.text).join()}`)).toEqual([
    'folded 1,2,3,4,5',
    'lines 6,7,8,9,nine,10,11,12',
    'folded 13,14',
  ])
})
