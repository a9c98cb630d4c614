import { expect, test } from 'vitest'
import { type Change, lintWith } from '#language/testdata/linted.ts'

const segments: Change = [
  'schemas/app.json',
  '/segments',
  {
    customers: { label: { $t: 'app.home' }, test: { var: 'session.logged_in' } },
    visitors: { label: { $t: 'app.home' }, test: { '!': [{ var: 'session.logged_in' }] } },
  },
]
const open: Change = ['schemas/routes.json', '/routes/pages~1place/auth', undefined]
const place = 'schemas/screens/orders/place.json'
const shown = (show: unknown): Change[] => [segments, open, [place, '/body/0/show', show]]
const found = (check: string, changes: Change[]) => lintWith(changes).filter((one) => one.check === check)

test('a guard by a segment of customers is a guard by their login', () => {
  expect(found('guards', shown({ var: 'segment.customers' }))).toEqual([])
  expect(found('guards', shown({ var: 'segment.visitors' })).map(({ message }) => message)).toEqual([
    expect.stringContaining('order.place needs a login'),
  ])
})
test('segments that exclude each other are a condition that is never true', () => {
  const both = { and: [{ var: 'segment.customers' }, { var: 'segment.visitors' }] }
  expect(found('impossible', shown(both))).toHaveLength(1)
})
test('an unknown segment is still an unknown name', () => {
  expect(found('paths', shown({ var: 'segment.custmers' }))).toMatchObject([{ suggestion: 'segment.customers' }])
})
