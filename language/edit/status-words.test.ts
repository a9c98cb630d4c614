import { expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { whereUsed } from '#language/edit/where-used.ts'
import { catalog as small } from '#language/testdata/catalog.ts'
import type { Catalog, JsonSchema } from '#language/types/catalog.ts'

/** The words of statuses stand in no document: the contract names them, and a prop takes the status. */

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties, required: Object.keys(properties) })
const text: JsonSchema = { type: 'string' }
const status: JsonSchema = {
  type: 'string',
  enum: ['open', 'filled'],
  status: { text: 'orders.state', tones: { open: 'accent', filled: 'up' } },
}
const badge = object({ text, tone: text, status: { ...text, shows: { text: 'text', tone: 'tone' } } })
const page = { type: 'page', major: 1, props: object({}), events: [], slots: { body: {} }, label: null, states: {} }
const catalog: Catalog = {
  ...small,
  widgets: [page, { ...page, type: 'nav-bar' }, { ...page, type: 'badge', props: badge }],
  calls: [
    {
      ...small.calls[0]!,
      name: 'orders.all',
      output: object({ list: { type: 'array', items: object({ id: { type: 'integer' }, status }), key: 'id' } }),
    },
  ],
}
const file = (path: string, doc: object) => ({ file: path, text: JSON.stringify(doc, null, 1) })
const row = { id: 'row', widget: 'badge', props: { status: '= item.status' }, repeat: { each: 'data.all.list', key: 'id' } }
const { documents, problems } = parse([
  file('own.json', {
    kind: 'screen',
    id: 'orders.own',
    format: 2,
    title: '@orders.title',
    data: { all: { call: 'orders.all' } },
    body: [{ id: 'plain', widget: 'badge', props: { text: 'x' } }, row],
  }),
  file('used.json', { kind: 'screen', id: 'orders.used', format: 2, body: [{ use: 'table' }] }),
  file('table.json', { kind: 'fragment', id: 'table', format: 2, data: { all: { call: 'orders.all' } }, body: [row] }),
])
const placesOf = (word: string) => whereUsed(documents, word, catalog).map(({ file, pointer }) => `${file} ${pointer}`)

test('the sample can be parsed', () => expect(problems).toEqual([]))

test.for([
  ['orders.state_open', ['own.json /body/1/props/status', 'used.json /body/0']],
  ['text/orders.state_filled', ['own.json /body/1/props/status', 'used.json /body/0']],
  ['orders.state_lost', []],
  ['call/orders.state_open', []],
  ['orders.title', ['own.json /title/$t']],
] as const)('%s is used where the status is shown', ([word, places]) => {
  expect(placesOf(word)).toEqual(places)
})
