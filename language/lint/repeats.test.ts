import { expect, test } from 'vitest'
import { lintWith } from '#language/testdata/linted.ts'

const list = 'schemas/screens/orders/list.json'
const each = { $: 'data.orders.list' }
const inside = (text: unknown, as = 'mine') => [
  {
    id: 'outer',
    widget: 'page',
    repeat: { each, key: 'id', as: 'order' },
    slots: {
      body: [
        {
          id: 'inner',
          widget: 'page',
          repeat: { each, key: 'id', as },
          slots: { body: [{ id: 'say', widget: 'row', props: { title: { $: text } } }] },
        },
      ],
    },
  },
]
const said = (body: unknown) =>
  lintWith([[list, '/body', body]])
    .filter(({ check, file }) => file === list && ['paths', 'repeats', 'expressions'].includes(check))
    .map(({ pointer, message, suggestion }) => [pointer, message, suggestion])

test('a repeat in a repeat reads the row around by its name', () => {
  expect(said(inside('row.order.symbol'))).toEqual([])
  expect(said(inside({ cat: [{ var: 'row.mine.symbol' }, { var: 'item.symbol' }] }))).toEqual([])
})

test('a name that no repeat around has, a member that the row has not, a name twice', () => {
  const at = '/body/0/slots/body/0/slots/body/0/props/title/$'
  expect(said(inside('row.oder.symbol'))).toEqual([[at, 'there is no "oder" in "row"', 'row.order.symbol']])
  expect(said(inside('row.order.symbl'))).toEqual([[at, 'there is no "symbl" in "row.order"', 'row.order.symbol']])
  expect(said(inside('row.order.symbol', 'order'))).toEqual([
    ['/body/0/slots/body/0/repeat/as', 'a repeat around is called "order" already', undefined],
  ])
})

test('outside of a repeat there is no row', () => {
  const body = [{ id: 'say', widget: 'page', slots: { body: [{ id: 'row', widget: 'row', props: { title: { $: 'row.order.symbol' } } }] } }]
  expect(said(body)).toEqual([['/body/0/slots/body/0/props/title/$', '"row" is read outside of a repeat', undefined]])
})

test('a root that nobody sets is none', () => {
  expect(said(inside('event.id'))[0]?.[1]).toMatch(/^"event.id" is neither a path nor a word/)
})
