import { expect, test } from 'vitest'
import { type Change, lintWith } from '#language/testdata/linted.ts'

const open: Change = ['schemas/routes.json', '/routes/pages~1place/auth', undefined]
const place = 'schemas/screens/orders/place.json'
const login = { var: 'session.logged_in' }
const shown: Change = [place, '/body/0/show', login]
const named = (show: unknown): Change[] => [
  open,
  shown,
  [place, '/actions', { cancel: [{ call: 'order.cancel', args: { id: '7' } }] }],
  [
    place,
    '/body/2',
    { id: 'more', widget: 'button', props: { label: { $t: 'orders.cancel', symbol: 'X' } }, show, on: { press: 'cancel' } },
  ],
]

test.each<[name: string, changes: Change[], said: RegExp[]]>([
  ['a form that visitors see', [open], [/^schemas\/forms\/order.json .*order.place needs a login/]],
  ['a form that customers see', [open, shown], []],
  [
    'a form that both see, on one screen twice',
    [open, shown, [place, '/body/2', { id: 'second', widget: 'form', props: { form: 'order' } }]],
    [/order.place needs a login/],
  ],
  ['an action of a button that customers see', named(login), []],
  ['an action of a button that visitors see', named({ has: 'state.step' }), [/\/actions\/cancel\/0 .*order.cancel needs a login/]],
])('%s', (_, changes, said) => {
  const found = lintWith(changes).filter(({ check }) => check === 'guards')
  expect(found.map(({ file, pointer, message }) => `${file} ${pointer} ${message}`)).toEqual(said.map((one) => expect.stringMatching(one)))
})
