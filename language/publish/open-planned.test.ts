import { describe, expect, test } from 'vitest'
import type { RoutesDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import { planned as check } from '#language/lint/meaning/planned.ts'
import { lint } from '#language/lint/run.ts'
import { openPlanned } from '#language/publish/open-planned.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { type Change, filesWith } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'

/** The catalog of the test data with planned calls. */
const withPlanned = (...names: string[]) => ({
  ...catalog,
  calls: catalog.calls.map((call) => (names.includes(call.name) ? { ...call, planned: true as const } : call)),
})
const off = (path: string): Change => ['schemas/routes.json', `/routes/${path.replaceAll('/', '~1')}/off`, true]
const place = 'schemas/screens/orders/place.json'
const form = 'schemas/forms/order.json'

describe('pages that live on planned calls', () => {
  test.each<[name: string, planned: string[], changes: Change[], found: string[]]>([
    ['no planned call', [], [], []],
    ['a planned call of an open form', ['order.place'], [], [`error ${form} order.place`]],
    ['a planned call of a form on a page that is off', ['order.place'], [off('pages/place')], [`warn ${form} order.place`]],
    [
      'a planned source of an open page',
      ['order.list'],
      [[place, '/data', { mine: { call: 'order.list', args: { status: 'open' } } }]],
      [`error ${place} order.list`],
    ],
    [
      'a planned source of a page that is off',
      ['order.list'],
      [off('pages/place'), [place, '/data', { mine: { call: 'order.list', args: { status: 'open' } } }]],
      [`warn ${place} order.list`],
    ],
    [
      'a page with two routes, of which one is open',
      ['order.place'],
      [off('pages/place'), ['schemas/routes.json', '/routes/pages~1other', { screen: 'orders.place', auth: true }]],
      [`error ${form} order.place`],
    ],
  ])('%s', (_, names, changes, found) => {
    const own = (file: string) => [place, form].includes(file)
    const problems = lint(parse(filesWith(changes)).documents, texts(), withPlanned(...names), [check])
    const said = problems.filter(({ file }) => own(file))
    expect(said.map(({ severity, file, message }) => `${severity} ${file} ${/"([^"]+)"/.exec(message)?.[1]}`)).toEqual(found)
  })

  const routesOf = (names: string[], ...changes: Change[]) => {
    const known = withPlanned(...names)
    const prepared = openPlanned(prepare(parse(filesWith(changes)).documents, known), known)
    const one = prepared.find(({ doc }) => doc.kind === 'routes')!
    expect(JSON.parse(one.canonical)).toEqual(one.doc)
    return (one.doc as RoutesDoc).routes
  }
  test('are open for flows and previews although their routes are off', () => {
    expect(routesOf(['order.place'], off('pages/place'))['pages/place']).not.toHaveProperty('off')
  })
  test('other pages stay off', () => {
    expect(routesOf([], off('pages/place'))['pages/place']).toMatchObject({ off: true })
    expect(routesOf(['order.cancel'], off('pages/place'))['pages/place']).toMatchObject({ off: true })
  })
})
