import { expect, test } from 'vitest'
import { createShapeCheck } from '#config-server/shapes/shape-check.ts'
import { catalog } from '#language/testdata/catalog.ts'

const shapes = createShapeCheck(catalog)
const prompt = { kind: 'prompt', id: 'sure', format: 1, title: '—', rows: [{ label: '—', value: '—' }] }
const screen = { kind: 'screen', id: 'a.b', format: 1, body: [{ id: 'a', widget: 'page' }] }
const form = {
  kind: 'form',
  id: 'a.form',
  format: 1,
  fields: [{ name: 'a', type: 'string', label: '—' }],
  submit: { label: '—', steps: [{ back: true }] },
}
const flow = { kind: 'flow', id: 'a', format: 1, about: 'x', as: 'visitor', steps: [{ open: '/' }] }

test.each<[mistake: string, doc: object, pointer: string, message: unknown, suggestion?: string]>([
  ['a member that is none', { ...prompt, dangr: true }, '/dangr', '"dangr" is not a member here', 'danger'],
  ['a member that is missing', { ...prompt, rows: [{ label: '—' }] }, '/rows/0/value', '"value" is missing'],
  ['another type', { ...prompt, danger: 'yes' }, '/danger', 'expected boolean, received string'],
  ['null', { ...prompt, rows: null }, '/rows', 'expected array, received null'],
  ['a word that is none', { ...flow, as: 'visitr' }, '/as', '"visitr" is not one of visitor', 'visitor'],
  ['another version of the language', { ...prompt, format: 99 }, '/format', expect.stringMatching(/^99 is not one of /)],
  ['an empty list', { ...screen, body: [] }, '/body', 'at least 1 entry'],
  ['a long text', { ...flow, about: 'x'.repeat(301) }, '/about', 'at most 300 characters'],
  ['an empty text', { ...flow, about: '' }, '/about', 'at least 1 character'],
  ['a small number', { ...prompt, stale_after_ms: 0 }, '/stale_after_ms', '0 is too small'],
  ['a part of a number', { ...prompt, stale_after_ms: 1.5 }, '/stale_after_ms', 'expected integer, received number'],
  ['an id of another form', { ...prompt, id: '9' }, '/id', '"9" is not written in the form that is needed here'],
  ['a name of another form', { ...prompt, values: { '9': 'true' } }, '/values/9', '"9" is not a name here'],
  ['a bar without a title', { ...screen, back: true }, '/back', '"title" is missing'],
  ['an expectation of nothing', { ...flow, steps: [{ expect: {} }] }, '/steps/0/expect', 'at least one member is needed'],
  [
    'a field that is sent twice',
    { ...form, submit: { label: '—', steps: [{ call: 'order.place', fields: ['a', 'a'] }] } },
    '/submit/steps/0/fields/1',
    'this entry occurs twice',
  ],
])('%s is said in plain words, with its place', (_, doc, pointer, message, suggestion) => {
  const text = JSON.stringify(doc, null, 2)
  expect(shapes.problems([{ file: 'x.json', text }]).get('x.json')).toEqual({
    check: 'schema',
    severity: 'error',
    file: 'x.json',
    line: expect.any(Number),
    pointer,
    message,
    ...(suggestion !== undefined && { suggestion }),
  })
})

test.each([prompt, screen, form, flow])('$kind: without the mistake nothing is said', (doc) => {
  expect(shapes.problems([{ file: 'x.json', text: JSON.stringify(doc) }])).toEqual(new Map())
})

test.each(['', '{', 'null', '[]', '{"kind": 1}', '{"kind": "toString"}', '['.repeat(50_000)])(
  'a text of no kind is left to the parser: %#',
  (text) => {
    expect(shapes.problems([{ file: 'x.json', text }])).toEqual(new Map())
  },
)

test('is compiled in steps before the first check, and judges the same', async () => {
  const warm = createShapeCheck(catalog)
  await warm.warmUp()
  expect(warm.problems([{ file: 'x.json', text: JSON.stringify({ ...prompt, dangr: true }) }]).size).toBe(1)
})
