import { expect, test } from 'vitest'
import { paletteOf } from '#console/editor/tree/palette.rules.ts'
import { widgets as some } from '#console/editor/tree/tree-fixture.ts'

const widgets = [...some, { ...some[0]!, type: 'text-field' }]
const about: Record<string, string> = { row: 'A line with a title', section: 'A part with a heading of its rows' }
const wordsOf = (type: string) => ({ name: type === 'text-field' ? 'Une ligne' : type, about: about[type] ?? '' })
test.for([
  ['', false, ['nav-bar', 'page', 'row', 'section', 'table', 'table-row', 'text']],
  ['row', false, ['row', 'table-row', 'section']],
  ['Nav Bar', false, ['nav-bar']],
  ['heading', false, ['section']],
  ['', true, ['text-field']],
  ['Une ligne', true, ['text-field']],
  ['nothing', false, []],
] as const)('"%s", in a form: %s', ([wanted, fields, types]) => {
  expect(paletteOf(widgets, wordsOf, wanted, fields).map(({ type }) => type)).toEqual(types)
})
