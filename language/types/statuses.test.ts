import { describe, expect, test } from 'vitest'
import type { AnyDoc } from '#language/documents/documents.ts'
import { prepare } from '#language/documents/prepare.ts'
import { catalog as small } from '#language/testdata/catalog.ts'
import { lengthened } from '#language/text/shorthand.ts'
import type { Catalog, JsonSchema, SourceDocument } from '#language/types/catalog.ts'

/** Publishing writes text and tone of a status out, from the statuses that the contract declares for the value. */

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties, required: Object.keys(properties) })
const words = ['new', 'open', 'filled', 'lost']
const tones = { new: 'accent', open: 'accent', filled: 'up', lost: 'down' }
const status: JsonSchema = { type: 'string', enum: words, status: { text: 'orders.state', tones } }
const even: JsonSchema = { type: 'string', enum: ['late', 'size'], status: { text: 'orders.skip', tones: { late: 'warn', size: 'warn' } } }
const plain: JsonSchema = { type: 'string' }
const shows = { text: 'text', tone: 'tone' }
const badge = { text: plain, tone: plain, status: { ...plain, shows } }
const column: JsonSchema = { ...object({ member: plain, kind: plain, texts: plain, tones: {} }), statusOf: 'rows' }

const widget = (type: string, props: JsonSchema) => ({ type, major: 1, props, events: [], slots: { body: {} }, label: null, states: {} })
const catalog: Catalog = {
  ...small,
  widgets: [
    widget('badge', object(badge)),
    widget('facts', object({ rows: { type: 'array', items: object(badge) } })),
    widget('table', object({ columns: { type: 'array', items: column }, rows: { type: 'array', items: {} } })),
    widget('group', object({})),
  ],
  calls: [
    {
      ...small.calls[0]!,
      name: 'orders.one',
      output: object({
        status,
        reason: { anyOf: [even, { type: 'null' }] },
        list: { type: 'array', items: object({ id: { type: 'integer' }, status }), key: 'id' },
      }),
    },
  ],
}

/** The node with an id of a published screen with this body. */
function published(body: unknown[], others: AnyDoc[] = [], more: object = {}) {
  const data = { one: { call: 'orders.one' } }
  const screen = lengthened({ kind: 'screen', id: 'orders.one', format: 2, data, body, ...more }) as AnyDoc
  const sources = [screen, ...others].map((doc) => ({ key: `${doc.kind}/${doc.id}`, file: '', text: '', doc }) as SourceDocument)
  return prepare(sources, catalog)[0]!
}
const nodeOf = (body: unknown[], others?: AnyDoc[], more?: object) =>
  (published(body, others, more).doc as unknown as { body: { props: unknown }[] }).body[0]!

const tone = (path: string) => ({
  $: { if: [{ '===': [{ var: path }, 'filled'] }, 'up', { '===': [{ var: path }, 'lost'] }, 'down', 'accent'] },
})

test.each([
  ['of an answer', 'data.one.status', 'data.one.status', {}],
  ['of a row that is looked up', 'data.one.list[params.id].status', 'data.one.list[params.id].status', {}],
  ['of a named row', 'values.found.status', 'data.one.list.0.status', { values: { found: 'data.one.list.0' } }],
])('a badge shows the status %s', (_name, path, read, more) => {
  const { props } = nodeOf([{ id: 'a', widget: 'badge', props: { status: `= ${path}` } }], [], more)
  expect(props).toEqual({ text: { $t: 'orders.state', context: { $: read } }, tone: tone(read) })
})

test('a status of a repeated row, in a list of facts, beside other members', () => {
  const facts = { id: 'a', widget: 'facts', props: { rows: [{ text: 'x' }, { status: '= item.status' }] } }
  const { props } = nodeOf([{ ...facts, repeat: { each: { $: 'data.one.list' }, key: 'id' } }])
  expect(props).toEqual({
    rows: [{ text: 'x' }, { text: { $t: 'orders.state', context: { $: 'item.status' } }, tone: tone('item.status') }],
  })
})

test('statuses with one tone need no condition, and one that may be absent is a status', () => {
  const { props } = nodeOf([{ id: 'a', widget: 'badge', props: { status: '= data.one.reason' } }])
  expect(props).toEqual({ text: { $t: 'orders.skip', context: { $: 'data.one.reason' } }, tone: 'warn' })
})

test('a table gets the stem of the texts and the tones of the member', () => {
  const props = { rows: '= data.one.list', columns: [{ member: 'id' }, { member: 'status', kind: 'status' }] }
  const made = nodeOf([{ id: 'a', widget: 'table', props }])
  expect(made.props).toEqual({
    rows: { $: 'data.one.list' },
    columns: [{ member: 'id' }, { member: 'status', kind: 'badge', texts: 'orders.state', tones }],
  })
})

describe('inside a fragment', () => {
  const fragment = lengthened({
    kind: 'fragment',
    id: 'state',
    format: 2,
    params: { of: { type: 'record', required: true } },
    body: [{ id: 'badge', widget: 'badge', props: { status: '= params.of.status' } }],
  }) as AnyDoc

  test('the screen that uses it names the statuses', () => {
    const { props } = nodeOf([{ use: 'state', with: { of: '= data.one' } }], [fragment])
    expect(props).toEqual({ text: { $t: 'orders.state', context: { $: 'data.one.status' } }, tone: tone('data.one.status') })
  })
})

test('a published document loads the texts of its statuses, and asks no engine for statuses', () => {
  const { computed, canonical } = published([{ id: 'a', widget: 'badge', props: { status: '= data.one.status' } }])
  expect(computed.areas).toEqual(['orders'])
  expect(computed.requires.props).toEqual(['badge.text', 'badge.tone'])
  expect(canonical).not.toContain('"status":{')
})

test('the written document stays as it is', () => {
  const body = [{ id: 'a', widget: 'badge', props: { status: { $: 'data.one.status' } } }]
  published(body)
  expect(body[0]!.props).toEqual({ status: { $: 'data.one.status' } })
})
