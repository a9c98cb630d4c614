import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { lintParsed } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { documents, filesOf, texts } from '#language/testdata/project.ts'
import { readWords } from '#language/text/text-file.ts'

const list = 'schemas/screens/orders/list.json'
const row = '/body/0/slots/body/0/slots/row/0'

/** All problems of the sample product, with the text of one file changed. */
function problemsWith(file: string, change: (text: string) => string) {
  const files = filesOf(documents()).map((one) => (one.file === file ? { ...one, text: change(one.text) } : one))
  const parsed = parse(files)
  return [...parsed.problems, ...lintParsed(parsed, texts(), catalog)].map(({ check, file: at, pointer }) => `${check} ${at} ${pointer}`)
}
const without = (change: (doc: Record<string, unknown>) => void) => (text: string) => {
  const doc = JSON.parse(text) as Record<string, unknown>
  change(doc)
  return JSON.stringify(doc, null, 2)
}

describe('a mistake that makes a document unreadable is reported once', () => {
  test('a repeat without its key', () => {
    const change = without((doc) => {
      const nodes = doc as { body: { slots: { body: { slots: { row: { repeat: { key?: string } }[] } }[] } }[] }
      delete nodes.body[0]?.slots.body[0]?.slots.row[0]?.repeat.key
    })
    expect(problemsWith(list, change)).toEqual([`parse ${list} ${row}/repeat/key`])
  })

  test.each([
    ['schemas/forms/order.json', (doc: Record<string, unknown>) => delete doc.submit, '/submit'],
    ['schemas/fragments/cancel-button.json', (doc: Record<string, unknown>) => (doc.body = 7), '/body'],
    ['schemas/app.json', (doc: Record<string, unknown>) => delete doc.languages, '/languages'],
  ])('%s', (file, change, pointer) => {
    expect(problemsWith(file, without(change))).toEqual([`parse ${file} ${pointer}`])
  })

  test('text that is no JSON', () => {
    expect(problemsWith('schemas/routes.json', (text) => text.replace('{', '{,'))).toEqual(['parse schemas/routes.json '])
  })
})

test('mistakes in other files are still reported', () => {
  const docs = documents()
  Object.assign(docs[list], { fromat: 1 })
  Object.assign(docs['schemas/screens/home.json'].body[0] as object, { widget: 'pgae' })
  const files = filesOf(docs)
  const parsed = parse(files)
  expect(parsed.documents.map(({ file }) => file)).not.toContain(list)
  expect(lintParsed(parsed, texts(), catalog)).toMatchObject([{ check: 'widgets', file: 'schemas/screens/home.json' }])
})

test.each([
  ['truncated text', (text: string) => text.slice(0, text.length / 2)],
  ['a surplus comma', (text: string) => text.replace('{', '{,')],
  ['text without any usable part', () => '?'],
  ['more than the maximum length', (text: string) => text + ' '.repeat(1_100_000)],
])('%s in one file does not hide a mistake in another', (_name, broken) => {
  const docs = documents()
  Object.assign(docs['schemas/screens/home.json'].body[0] as object, { widget: 'pgae' })
  const files = filesOf(docs).map((one) => (one.file === list ? { ...one, text: broken(one.text) } : one))
  const parsed = parse(files)
  expect(parsed.problems.map(({ file }) => file)).toEqual([list])
  const found = lintParsed(parsed, texts(), catalog)
  expect(found).toMatchObject([{ check: 'widgets', file: 'schemas/screens/home.json', suggestion: 'page' }])
})

test('a missing comma in a text file does not hide a mistake in a document, and hides no text from documents', () => {
  const file = 'locales/ja/orders.json'
  const written = texts()
  const words = readWords(file, JSON.stringify(written.ja?.orders, null, 2).replace(',', ''))
  expect(words.flat).toEqual(written.ja?.orders)
  expect(words.problems).toMatchObject([{ check: 'texts', file, line: 3, pointer: '' }])
  const docs = documents()
  docs['schemas/screens/home.json'].body[0]!.slots.body[0]!.on.press[0]!.go = 'pages/ordrs'
  const parsed = parse(filesOf(docs))
  const found = lintParsed({ ...parsed, problems: words.problems }, { ...written, ja: { ...written.ja, orders: words.flat } }, catalog)
  expect(found).toMatchObject([{ check: 'targets', file: 'schemas/screens/home.json' }])
})
