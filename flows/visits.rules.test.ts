import { describe, expect, test } from 'vitest'
import type { Pages } from '#flows/set.ts'
import { addressOfVisit, choicesOf, visitsOf } from '#flows/visits.rules.ts'
import type { ScreenDoc } from '#language/documents/documents.ts'

const screen = (id: string, more: Partial<ScreenDoc> = {}): ScreenDoc => ({
  kind: 'screen',
  id,
  format: 1,
  body: [{ id: 'page', widget: 'page' }],
  ...more,
})
const screens: ScreenDoc[] = [
  screen('home'),
  screen('detail', {
    params: { id: { type: 'integer', required: true }, view: { type: 'enum', values: ['a', 'b'], default: 'a' }, note: { type: 'string' } },
  }),
  screen('mine', { body: [{ id: 'name', widget: 'text', show: { var: 'data.info.has_email' } }] }),
  screen('proved'),
  screen('login', { enter: [{ if: { var: 'session.logged_in' }, then: [{ return: true }] }] }),
]
const routes = {
  '/': { screen: 'home', aliases: ['index'] },
  'p/detail': { screen: 'detail' },
  'p/again': { screen: 'detail' },
  'p/mine': { screen: 'mine', auth: true },
  'p/proved': { screen: 'proved', auth: true, kyc: 2 },
  'p/login': { screen: 'login' },
}
const pages = { routes, screens: new Map(screens.map((one) => [one.id, one])), forms: new Map() } as unknown as Pages
const all = screens.map(({ id }) => id)
const short = (person: 'visitor' | 'customer', wanted = all) =>
  visitsOf(pages, wanted, person).map(
    (visit) =>
      `${visit.screen} ${addressOfVisit(visit)}${visit.state ? ` ${visit.state}` : ''}${visit.account ? ` ${JSON.stringify(visit.account)}` : ''}`,
  )

describe('how screens are opened', () => {
  test('a visitor opens every public screen once, and once more for each word of a parameter', () => {
    expect(short('visitor')).toEqual([
      'home /',
      'detail /p/detail?id=1&view=a',
      'detail /p/detail?id=1&view=b ok {"kyc":1}',
      'login /p/login',
    ])
  })
  test('a customer also opens the closed screens, with the level that they require, and with the opposite account', () => {
    const seen = short('customer')
    expect(seen).toContain('mine /p/mine {"kyc":1}')
    expect(seen).toContain('mine /p/mine ok {"kyc":1,"info":{"has_email":false}}')
    expect(seen).toContain('proved /p/proved {"kyc":2}')
  })
  test('only the wanted screens', () => {
    expect(short('visitor', ['login', 'mine'])).toEqual(['login /p/login'])
  })
  test('a page that redirects at once need not be shown', () => {
    expect(
      visitsOf(pages, all, 'customer')
        .filter(({ leaves }) => leaves)
        .map((one) => one.screen),
    ).toEqual(['login'])
  })
})

describe('options that stay on the screen', () => {
  const change = (step: object) => ({ change: [step] }) as never
  const options = [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ] as never
  test.each([
    [
      'options that set state, the first option last',
      { widget: 'segmented', props: { options }, on: change({ set: { 'state.x': 1 } }) },
      ['b', 'a'],
    ],
    ['a search box has no options', { widget: 'search', on: change({ set: { 'state.x': 1 } }) }, [undefined]],
    [
      'values stored on the device are not changed',
      { widget: 'segmented', props: { options }, on: change({ set: { 'device.x': 1 } }) },
      [],
    ],
    ['options that make calls are not chosen', { widget: 'segmented', props: { options }, on: change({ call: 'x.y' }) }, []],
    [
      'options that come with data are not known',
      { widget: 'segmented', props: { options: { $: 'data.x' } }, on: change({ set: { 'state.x': 1 } }) },
      [],
    ],
  ])('%s', (_, node, wanted) => {
    const doc = screen('x', { body: [{ id: 'n', ...node } as never] })
    expect(choicesOf(doc, new Map()).map(({ option }) => option)).toEqual(wanted)
  })
  test('options of a form, unless a choice does more than set', () => {
    const field = (name: string, more: object) => ({ name, type: 'enum', label: 'x', widget: 'choices-field', options, ...more })
    const form = {
      kind: 'form',
      id: 'f',
      format: 1,
      fields: [field('free', {}), field('calls', { on: change({ call: 'x.y' }) })],
      submit: { label: 'x', steps: [] },
    }
    const doc = screen('x', { body: [{ id: 'n', widget: 'form', props: { form: 'f' } } as never] })
    expect(choicesOf(doc, new Map([['f', form as never]]))).toEqual(['b', 'a'].map((option) => ({ node: 'n-free', option })))
  })
})
