import type { Mistake } from '#language/testdata/linted.ts'

const file = 'schemas/flows/cancel.json'

const push = (topic: string, row: object, change = 'insert') => ({ push: topic, change, row })

/** One mistake each in the flow of the small product. */
export const flowMistakes: Mistake[] = [
  ['flows', 'a route that is not there', [file, '/steps/0/open', 'pages/ordr'], /no route "pages\/ordr"/, 'pages/order'],
  ['flows', 'a parameter that the screen has not', [file, '/steps/0/params', { id: 7, idd: 1 }], /no "idd"/],
  ['flows', 'a parameter that is missing', [file, '/steps/0/params', {}], /"id" is missing/],
  ['flows', 'a topic that carries no rows', [file, '/steps/1', push('order', { id: 7 })], /no topic with rows "order"/, 'orders'],
  ['flows', 'a row without its key', [file, '/steps/1', push('orders', { side: 'buy' })], /identified by its "id"/],
  ['flows', 'a member that rows have not', [file, '/steps/1', push('orders', { id: 7, symbl: 'X' })], /no "symbl"/, 'symbol'],
  [
    'flows',
    'more than the key of a row that is gone',
    [file, '/steps/1', push('orders', { id: 7, side: 'buy' }, 'remove')],
    /only its "id"/,
  ],
  ['flows', 'a node that is not there', [file, '/steps/1/press', 'cancl'], /node or field "cancl"/, 'cancel'],
  ['flows', 'a node of another screen', [file, '/steps/1/press', 'hello'], /node or field "hello"/],
  ['flows', 'a call that must not be made', [file, '/steps/3/expect/notCalled', 'order.cancle'], /no call "order.cancle"/, 'order.cancel'],
  ['flows', 'a call that must be made', [file, '/steps/6/expect/called', 'order.cancle'], /no call "order.cancle"/, 'order.cancel'],
  ['flows', 'an argument', [file, '/steps/6/expect/args', { idd: 7 }], /takes no "idd"/, 'id'],
  ['flows', 'words', [file, '/steps/6/expect/toast', { $t: 'orders.canceled' }], /no text "orders.canceled"/, 'orders.cancelled'],
  ['flows', 'a screen', [file, '/steps/6/expect/screen', 'orders.detial'], /no screen "orders.detial"/, 'orders.detail'],
  ['flows', 'a language', [file, '/language', 'jp'], /no language "jp"/, 'ja'],
  ['flows', 'what a call does not answer', [file, '/answers/order.cancel/data', { idd: 1 }], /answers no "idd"/, 'id'],
  ['flows', 'arguments of no call', [file, '/steps/6/expect/called', undefined], /require "called"/],
  ['flows', 'a state of no node', [file, '/steps/3/expect', { state: 'hidden' }], /require "node"/],
  ['flows', 'nothing that may fail', [file, '/steps', [{ open: 'pages/order', params: { id: 7 } }]], /cannot fail/, undefined, 'warn'],
]
