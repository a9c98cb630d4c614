import { describe, expect, test } from 'vitest'
import type { NodeDoc } from '#language/documents/documents.ts'
import { node } from '#language/documents/nodes.ts'
import { parse } from '#language/documents/parse.ts'
import { lintWith } from '#language/testdata/linted.ts'
import { formatted } from '#language/text/expression-texts.ts'
import { shortPlace } from '#language/text/short-nodes.ts'

const read = (value: string) => ({ $: value })
const set = (path: string) => ({ set: { [path]: read('value') } })
const table: [name: string, short: object, long: object][] = [
  ['a value', { bind: 'state.a' }, { props: { value: read('state.a') }, on: { change: [set('state.a')] } }],
  ['beside other props', { bind: 'form.a', props: { b: 1 } }, { props: { b: 1, value: read('form.a') }, on: { change: [set('form.a')] } }],
  [
    'several props',
    { bind: { period: 'state.p', value: 'device.v' } },
    { props: { period: read('state.p'), value: read('device.v') }, on: { period: [set('state.p')], change: [set('device.v')] } },
  ],
  [
    'a member of a record',
    { bind: 'state.l[item.id].on' },
    { props: { value: read('state.l[item.id].on') }, on: { change: [set('state.l[item.id].on')] } },
  ],
  [
    'before other steps',
    { bind: 'state.a', on: { change: [{ back: true }] } },
    { props: { value: read('state.a') }, on: { change: [set('state.a'), { back: true }] } },
  ],
  ['a page', { go: 'pages/a' }, { on: { press: [{ go: 'pages/a' }] } }],
  [
    'a computed page with parameters',
    { go: read('item.to'), params: { id: read('item.id') } },
    { on: { press: [{ go: read('item.to'), params: { id: read('item.id') } }] } },
  ],
]
const of = (more: object): NodeDoc => ({ id: 'x', widget: 'w', ...more })
const text = (more: object) => JSON.stringify({ kind: 'screen', id: 'a.b', format: 1, body: [of(more)] })

describe('a short node', () => {
  test.each(table)('%s: is read as the long one, which is printed as the short one', (_, short, long) => {
    expect(node.parse(of(short))).toEqual(of(long))
    expect(formatted(text(long))).toBe(formatted(text(short)))
    const [printed] = JSON.parse(formatted(text(long))).body
    expect(Object.keys(printed).sort()).toEqual(['id', 'widget', ...Object.keys(short)].sort())
  })

  test.each<[string, object]>([
    ['another value is set', { props: { value: read('state.a') }, on: { change: [{ set: { 'state.a': 1 } }] } }],
    ['two values are set', { props: { value: read('state.a') }, on: { change: [{ set: { 'state.a': read('value'), 'state.b': 1 } }] } }],
    ['another path is read', { props: { value: read('state.b') }, on: { change: [set('state.a')] } }],
    ['the event belongs to no prop', { props: { hidden: read('state.a') }, on: { toggle: [set('state.a')] } }],
    ['a named action', { props: { value: read('state.a') }, on: { change: 'change' } }],
    ['a press that replaces the page', { on: { press: [{ go: 'pages/a', replace: true }] } }],
    ['a press that does more', { on: { press: [{ back: true }, { go: 'pages/a' }] } }],
  ])('a long one stays where %s', (_, long) => {
    const [printed] = JSON.parse(formatted(text(long))).body
    expect(printed.bind ?? printed.go).toBeUndefined()
  })

  test.each<[object, string, string]>([
    [{ bind: 'state.a', props: { value: 1 } }, '/body/0/bind', '"value" occurs twice'],
    [{ bind: { mode: 'state.a' }, on: { mode: 'pick' } }, '/body/0/bind/mode', '"mode" occurs twice'],
    [{ go: 'a', on: { press: [] } }, '/body/0/go', '"press" occurs twice'],
    [{ params: { id: 1 } }, '/body/0/params', '"params" needs a "go"'],
    [{ bind: 'data.a' }, '/body/0/bind', 'bind names a value of state, form or device'],
  ])('%j is refused', (short, pointer, message) => {
    expect(parse([{ file: 'a.json', text: text(short) }]).problems).toMatchObject([{ pointer, message }])
  })

  test('problems of what it is short for are reported where it stands', () => {
    const button = '/body/0/slots/body/0'
    const home = 'schemas/screens/home.json'
    const found = lintWith([
      [home, `${button}/on`, undefined],
      [home, `${button}/go`, 'pages/ordrs'],
      [home, `${button}/params`, { id: { $: 'state.m' } }],
      [home, `${button}/props/size`, undefined],
      [home, `${button}/bind`, { size: 'state.n' }],
    ])
    expect(found.map(({ pointer }) => pointer.slice(button.length)).sort()).toEqual(
      expect.arrayContaining(['/bind/size', '/go', '/params/id/$']),
    )
  })
})

test.each<[string, string[], string]>([
  ['/body/0/on/press/0/params/id', ['/body/0/go', '/body/0/params'], '/body/0/params/id'],
  ['/body/0/on/press/0', ['/body/0/go'], '/body/0/go'],
  ['/body/0/on/change/0/set/state.a', ['/body/0/bind'], '/body/0/bind'],
  ['/body/0/on/change/1/toast', ['/body/0/bind', '/body/0/on/change/0/toast'], '/body/0/on/change/0/toast'],
  ['/body/0/on/mode/0/set/state.a', ['/body/0/bind', '/body/0/bind/mode'], '/body/0/bind/mode'],
  ['/body/0/props/value', ['/body/0/bind'], '/body/0/bind'],
  ['/body/0/on/change/0', ['/body/0/bind', '/body/0/bind/mode', '/body/0/on/change/0', '/body/0/props/value'], '/body/0/on/change/0'],
  ['/body/0/props/label', ['/body/0/props/label'], '/body/0/props/label'],
  ['/actions/a/0', ['/actions/a/0'], '/actions/a/0'],
])('%s stands at its short form', (long, parts, place) => {
  expect(shortPlace(long, (pointer) => parts.includes(pointer))).toBe(place)
})
