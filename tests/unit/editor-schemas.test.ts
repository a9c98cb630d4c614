import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readFiles } from '#config-server/files.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Validation of documents in an editor that reads JSON Schema. */

/** Adds the schemas of a folder under its address. */
function withSchemas(folder: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.schema.json')))
    ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object, pathToFileURL(join(folder, name)).href)
  return ajv
}
const productSchemas = join(projectRoot, 'schemas/meta')
const product = withSchemas(productSchemas)

interface Doc {
  kind: string
  [more: string]: unknown
}
function wrongIn(doc: Doc, schema = join(productSchemas, `${doc.kind}.schema.json`), schemas = product): string[] {
  const check = schemas.getSchema(pathToFileURL(schema).href)!
  return check(doc) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as Doc

test('no document of the product has a finding', async () => {
  const read = await Promise.all([projectRoot, join(projectRoot, 'console')].map((root) => readFiles(root)))
  const files = read.flat().filter(({ file }) => file.startsWith('schemas/') && !file.startsWith('schemas/meta/'))
  expect(files.length).toBeGreaterThan(180)
  const wrong = files.flatMap(({ file, text }) => wrongIn(JSON.parse(text) as Doc).map((one) => `${file}: ${one}`))
  expect(wrong, 'npm run generate makes new names known').toEqual([])
})

describe('is underlined', () => {
  const screen = 'schemas/screens/fund/withdraw.json'
  const form = 'schemas/forms/fund/withdraw.json'
  test.each<[what: string, file: string, change: (text: string) => string]>([
    ['a widget that is none', screen, (text) => text.replace('"segmented"', '"segmentd"')],
    ['a property that the widget does not have', screen, (text) => text.replace('"options": [', '"optoins": [')],
    ['a property that is missing', screen, (text) => text.replace('"bind": "state.channel",', '')],
    [
      'a property bound that never changes',
      screen,
      (text) => text.replace('"bind": "state.channel"', '"bind": { "options": "state.channel" }'),
    ],
    ['a page opened by what cannot be pressed', screen, (text) => text.replace('"bind": "state.channel"', '"go": "pages/market/market"')],
    ['a value that is none of the words', screen, (text) => text.replace('"tone": "quiet"', '"tone": "quite"')],
    ['a value of another type', screen, (text) => text.replace('"hideLabel": true', '"hideLabel": "yes"')],
    ['words that are no key', screen, (text) => text.replace('"label": "@funding.records"', '"label": "Records"')],
    ['a key of no text', screen, (text) => text.replace('funding.records', 'funding.recrods')],
    [
      'an event that the widget does not have',
      screen,
      (text) => text.replace('"bind": "state.channel"', '"on": { "chang": [] }, "bind": "state.channel"'),
    ],
    ['an icon that is none', screen, (text) => text.replace('"icon": "history"', '"icon": "histroy"')],
    ['a call that is none', screen, (text) => text.replace('wallet.getAddressList', 'wallet.getAdressList')],
    [
      'a call that changes something as data',
      screen,
      (text) => text.replace('"call": "wallet.getAddressList"', '"call": "wallet.withdraw"'),
    ],
    ['a route that is none', screen, (text) => text.replace('"pages/setting/wallet"', '"pages/setting/walet"')],
    ['a fragment that is none', screen, (text) => text.replace('"use": "notice"', '"use": "notise"')],
    ['a prompt that is none', form, (text) => text.replace('"confirm": "withdraw"', '"confirm": "withdrew"')],
    ['a validation that is none', form, (text) => text.replace('"use": "within-balance"', '"use": "within-ballance"')],
    ['a property that the widget of a field does not have', form, (text) => text.replace('"max_button": true', '"max_buton": true')],
    ['a member that documents do not have', form, (text) => text.replace('"required": true', '"requird": true')],
  ])('%s', (_, file, change) => {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    const changed = change(text)
    expect(changed).not.toBe(text)
    expect(wrongIn(read(file))).toEqual([])
    expect(wrongIn(JSON.parse(changed) as Doc)).not.toEqual([])
  })
})

describe('an app of its own', () => {
  const apps = readdirSync(join(projectRoot, 'examples'), { withFileTypes: true }).filter((one) => one.isDirectory())
  test.each(apps.map(({ name }) => name))('%s: each document names its schema, which finds nothing wrong', async (name) => {
    const app = join(projectRoot, 'examples', name)
    const schemas = withSchemas(join(app, 'schemas/meta'))
    const documents = (await readFiles(app)).filter(({ file }) => file.startsWith('schemas/'))
    expect(documents.length).toBeGreaterThan(3)
    for (const { file, text } of documents) {
      const doc = JSON.parse(text) as Doc
      const schema = join(dirname(join(app, file)), String(doc.$schema))
      expect(schema, file).toBe(join(app, `schemas/meta/${doc.kind}.schema.json`))
      expect(wrongIn(doc, schema, schemas), file).toEqual([])
    }
  })

  const library = join(projectRoot, 'examples/lending-library')
  const schemas = withSchemas(join(library, 'schemas/meta'))
  const wrong = (text: string) => {
    const doc = JSON.parse(text) as Doc
    return wrongIn(doc, join(library, `schemas/meta/${doc.kind}.schema.json`), schemas)
  }
  test.each<[what: string, file: string, from: string, to: string]>([
    ['a widget that is none', 'screens/books.json', '"shelf-card"', '"shelf-crad"'],
    ['a widget that only the product has', 'screens/books.json', '"shelf-card"', '"quote-ring"'],
    ['a property that its own widget does not have', 'screens/books.json', '"status":', '"statsu":'],
    ['a call that is none', 'screens/books.json', '"library.list"', '"library.lsit"'],
    ['a call that only the product has', 'screens/books.json', '"library.list"', '"wallet.getAddressList"'],
    ['a call that changes something as data', 'screens/books.json', '"library.list"', '"library.lend"'],
    ['a text that is none', 'screens/books.json', '"@library.search_hint"', '"@library.serach_hint"'],
    ['a route that is none', 'quick-entries/tabs.json', '"to": "borrowed"', '"to": "borowed"'],
    ['a prompt, where the app has none', 'forms/lend.json', '{ "call": "library.lend"', '{ "confirm": "lend" }, { "call": "library.lend"'],
  ])('lending-library: %s is underlined', (_, file, from, to) => {
    const text = readFileSync(join(library, 'schemas', file), 'utf8')
    expect(text).toContain(from)
    expect(wrong(text)).toEqual([])
    expect(wrong(text.replace(from, to))).not.toEqual([])
  })
})
