import { expect, test } from 'vitest'
import { paletteOf } from '#console/editor/tree/palette.rules.ts'
import { widgets as some } from '#console/editor/tree/tree-fixture.ts'

const widgets = [...some, { ...some[0]!, type: 'text-field' }]
const about = { row: 'A line with a title', section: 'A part with a heading of its rows' }
test.for([
  ['', false, ['nav-bar', 'page', 'row', 'section', 'table', 'table-row', 'text']],
  ['row', false, ['row', 'table-row', 'section']],
  ['Nav Bar', false, ['nav-bar']],
  ['heading', false, ['section']],
  ['', true, ['text-field']],
  ['nothing', false, []],
] as const)('"%s", in a form: %s', ([wanted, fields, types]) => {
  expect(paletteOf(widgets, about, wanted, fields).map(({ type }) => type)).toEqual(types)
})
