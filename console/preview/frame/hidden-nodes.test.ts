import { expect, test } from 'vitest'
import { sheetAround } from '#console/preview/frame/hidden-nodes.ts'

const screen = {
  id: 'setting.userInfo',
  body: [
    { id: 'page', widget: 'page', slots: { body: [{ id: 'row', widget: 'row' }] } },
    {
      id: 'nickname-sheet',
      widget: 'sheet',
      slots: {
        body: [{ id: 'form', widget: 'form', props: { form: 'setting.nickname' }, slots: { foot: [{ id: 'note', widget: 'text' }] } }],
      },
    },
    { id: 'other-sheet', widget: 'sheet@1', slots: { body: [{ id: 'text', widget: 'text' }] } },
  ],
}

test.each([
  ['a node outside', 'screen/setting.userInfo', 'row', undefined],
  ['a node in a sheet', 'screen/setting.userInfo', 'note', 'nickname-sheet'],
  ['the sheet itself', 'screen/setting.userInfo', 'nickname-sheet', 'nickname-sheet'],
  ['a sheet with a version', 'screen/setting.userInfo', 'text', 'other-sheet'],
  ['a field of a form in a sheet', 'form/setting.nickname', 'nickname', 'nickname-sheet'],
  ['a form that stands elsewhere', 'form/login', 'account', undefined],
  ['a node of another screen', 'screen/home', 'text', undefined],
] as const)('%s', (_, document, node, sheet) => {
  expect(sheetAround(screen, { document, node })).toBe(sheet)
})
