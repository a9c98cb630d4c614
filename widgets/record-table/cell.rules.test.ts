import { expect, test } from 'vitest'
import { type CellFormats, type CellPart, cellOf, rowAfter } from '#widgets/record-table/cell.rules.ts'

const formats: CellFormats = {
  amount: (text) => `<${text}>`,
  fiat: (usd) => `$${usd}`,
  dateTime: (time) => `at ${time}`,
  ago: (time) => `since ${time}`,
  say: (key, context) => `${key}_${context}`,
}
const row = {
  id: 7,
  amount: '1.50',
  coin: 'BTC',
  status: 'reviewing',
  seen: null,
  created: 9,
  none: 0,
  four: true,
  list: [1],
  text: 'Ann',
  action: 'otc.approve',
  roles: ['editor', 'approver'],
  terms: '106000 USDT; 5000.25, 20000, 999 %; 2026-11-29 16:00; BTC10000; 1.25000',
  changes: [
    { name: 'fee', before: '1 %', after: '2 %' },
    { name: 'spread', before: '', after: '3' },
  ],
}
const words = { reviewing: 'Waiting', true: 'Two must agree' }

test.each<[CellPart, string]>([
  [{ member: 'text' }, 'Ann'],
  [{ member: 'id' }, '7'],
  [{ member: 'missing' }, ''],
  [{ member: 'seen', kind: 'ago' }, ''],
  [{ member: 'list' }, '1'],
  [{ member: 'roles' }, 'editor, approver'],
  [{ member: 'roles', texts: 'office.role' }, 'office.role_editor, office.role_approver'],
  [{ member: 'changes' }, ''],
  [{ member: 'changes', kind: 'changes', texts: 'office.term' }, 'office.term_fee 1 % → 2 %; office.term_spread – → 3'],
  [{ member: 'text', kind: 'changes' }, ''],
  [{ member: 'terms', kind: 'grouped' }, '<106000> USDT; <5000.25>, <20000>, 999 %; 2026-11-29 16:00; BTC10000; 1.25000'],
  [{ member: 'terms', kind: 'text' }, '106000 USDT; 5000.25, 20000, 999 %; 2026-11-29 16:00; BTC10000; 1.25000'],
  [{ member: 'constructor' }, ''],
  [{ member: 'amount', kind: 'amount' }, '<1.50>'],
  [{ member: 'amount', kind: 'amount', unit: 'coin' }, '<1.50> BTC'],
  [{ member: 'amount', kind: 'amount', unit: 'missing' }, '<1.50>'],
  [{ member: 'amount', kind: 'usd' }, '$1.50'],
  [{ member: 'created', kind: 'time' }, 'at 9'],
  [{ member: 'created', kind: 'ago' }, 'since 9'],
  [{ member: 'none', kind: 'time' }, ''],
  [{ member: 'text', kind: 'time' }, ''],
  [{ member: 'status', kind: 'words', words }, 'Waiting'],
  [{ member: 'four', kind: 'words', words }, 'Two must agree'],
  [{ member: 'text', kind: 'words', words }, ''],
  [{ member: 'text', kind: 'badge', words }, 'Ann'],
  [{ member: 'text', words: { Ann: 'the customer' } }, 'the customer'],
  [{ member: 'text', kind: 'badge', words: { ...words, constructor: 'x' } }, 'Ann'],
  [{ member: 'status', texts: 'office.state' }, 'office.state_reviewing'],
  [{ member: 'action', texts: 'office.action' }, 'office.action_otc_approve'],
  [{ member: 'missing', texts: 'office.state' }, ''],
  [{ member: 'status', texts: 'office.choice', of: 'coin' }, 'office.choice_BTC_reviewing'],
  [{ member: 'status', texts: 'office.choice', of: 'seen' }, 'reviewing'],
])('%j says %j', (part, text) => {
  expect(cellOf(row, part, formats).text).toBe(text)
})

test('a tone belongs to the value, and a badge is one whatever it says', () => {
  const part: CellPart = { member: 'status', kind: 'badge', words, tones: { reviewing: 'warn' } }
  expect(cellOf(row, part, formats)).toEqual({ text: 'Waiting', tone: 'warn', badge: true })
  expect(cellOf({ status: 'done' }, part, formats)).toEqual({ text: 'done', tone: undefined, badge: true })
})

test.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 2, 3, 1],
  ['ArrowUp', 0, 3, 0],
  ['Home', 2, 3, 0],
  ['End', 0, 3, 2],
  ['Enter', 0, 3, undefined],
  ['constructor', 0, 3, undefined],
  ['ArrowDown', 0, 0, undefined],
])('%s from row %i of %i', (key, at, count, to) => {
  expect(rowAfter(key, at, count)).toBe(to)
})
