import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { formatted } from '#language/text/expression-texts.ts'
import { usualWidgets } from '#language/text/shorthand.ts'

const form = (fields: object[], step: object) =>
  JSON.stringify({ kind: 'form', id: 'x', format: 1, fields, submit: { label: { $t: 'a.b' }, steps: [step] } })
const read = (text: string) => parse([{ file: 'x.json', text }])
const label = { $t: 'a.b' }

describe('fields', () => {
  test.each(Object.entries(usualWidgets))('of type %s are shown by %s by default', (type, widget) => {
    const text = form(
      [
        { name: 'a', type, label },
        { name: 'b', type, widget: 'own-field', label },
      ],
      { back: true },
    )
    expect(read(text)).toMatchObject({ problems: [], documents: [{ doc: { fields: [{ widget }, { widget: 'own-field' }] } }] })
  })
})

describe('a call', () => {
  const amount = { name: 'amount', type: 'decimal', label }
  const callOf = (text: string) => {
    const [document] = read(text).documents
    return document?.doc.kind === 'form' ? document.doc.submit.steps[0] : undefined
  }

  test('sends fields of the form under their own names, with its other arguments', () => {
    expect(callOf(form([amount], { call: 'a.b', fields: ['amount', 'to'], args: { by: 'coin' } }))).toEqual({
      call: 'a.b',
      args: { amount: { $: 'form.amount' }, to: { $: 'form.to' }, by: 'coin' },
    })
    expect(callOf(form([amount], { call: 'a.b', as: 'done' }))).toEqual({ call: 'a.b', as: 'done' })
  })

  test.each([
    ['in the list', ['amount', 'amount'], {}, 1],
    ['as an argument too', ['amount'], { amount: '1' }, 0],
  ])('refuses a duplicate name: %s', (_, fields, args, at) => {
    expect(read(form([amount], { call: 'a.b', fields, args })).problems).toMatchObject([
      { pointer: `/submit/steps/0/fields/${at}`, message: '"amount" occurs twice' },
    ])
  })
})

describe('the printed form', () => {
  const long = form(
    [
      { name: 'amount', type: 'decimal', widget: 'decimal-field', label },
      { name: 'slide', type: 'decimal', widget: 'slider-field', label },
    ],
    { call: 'a.b', args: { amount: { $: 'form.amount' }, by: { $: 'form.way' }, slide: { $: 'form.slide' } }, as: 'done' },
  )

  test('omits defaults, and reads as the same document', () => {
    const short = formatted(long)
    expect(JSON.parse(short)).toMatchObject({
      fields: [{ name: 'amount', type: 'decimal', label: '@a.b' }, { widget: 'slider-field' }],
      submit: { steps: [{ call: 'a.b', fields: ['amount', 'slide'], args: { by: '= form.way' }, as: 'done' }] },
    })
    expect(JSON.parse(short).fields[0]).not.toHaveProperty('widget')
    expect(read(short).documents[0]?.doc).toEqual(read(long).documents[0]?.doc)
    expect(formatted(short)).toBe(short)
  })

  test('keeps a single argument in place', () => {
    const one = form([{ name: 'amount', type: 'decimal', label }], { call: 'a.b', args: { amount: { $: 'form.amount' } } })
    expect(JSON.parse(formatted(one)).submit.steps).toEqual([{ call: 'a.b', args: { amount: '= form.amount' } }])
  })
})

describe('a literal that looks like a short form', () => {
  const guide = readFileSync('docs/guides/write-a-screen.md', 'utf8')
  const example = /as an expression: `"(= '@[^"`]+')"`/.exec(guide)?.[1] ?? ''
  const textOf = (text: string) => {
    const { documents, problems } = read(
      JSON.stringify({ kind: 'screen', id: 'a.b', format: 1, body: [{ id: 'x', widget: 'text', props: { text } }] }),
    )
    const [document] = documents
    const node = document?.doc.kind === 'screen' ? document.doc.body[0] : undefined
    return [node && 'props' in node ? node.props?.text : undefined, problems]
  }
  test('is written as the guide says', () => {
    expect(example).toBe("= '@market.open'")
    expect(textOf(example)).toEqual(['@market.open', []])
  })
  test.each([
    ["= '= x'", '= x'],
    ['= "@a.b\\n\'"', "@a.b\n'"],
    ["= 'plain'", 'plain'],
    ["= ''", ''],
  ])('%s is %j', (text, literal) => {
    expect(textOf(text)).toEqual([literal, []])
  })
  test.each(["= 'a' = 'b'", "= cat('@a.b')"])('%s is computed', (text) => {
    expect(textOf(text)).toEqual([{ $: expect.any(Object) }, []])
  })
})

test.each([
  ['9007199254740993', false],
  ['-0.1234567890123456789', false],
  ['1e400', false],
  ['9007199254740992', true],
  ['-0.125', true],
  ['1e21', true],
])('a number of a document keeps its digits or is refused where it stands: %s', (number, isTaken) => {
  const text = `{ "kind": "screen", "id": "a.b", "format": 1,\n  "state": { "n": ${number}, "text": "9007199254740993" },\n  "body": [{ "id": "x", "widget": "text" }] }`
  const said = `${number} has more digits than a number keeps: write it as text, "${number}"`
  expect(read(text).problems.map(({ line, pointer, message }) => [line, pointer, message])).toEqual(isTaken ? [] : [[2, '/state/n', said]])
})
