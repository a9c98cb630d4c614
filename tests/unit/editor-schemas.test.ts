import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readFiles } from '#config-server/files.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Validation of documents in an editor that reads JSON Schema. */

const folder = join(projectRoot, 'schemas/meta')
const ajv = new Ajv2020({ strict: false, allErrors: false })
for (const name of readdirSync(folder).filter((one) => one.endsWith('.schema.json')))
  ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object, `https://editor.test/${name}`)

interface Doc {
  kind: string
  [more: string]: unknown
}
function wrongIn(doc: Doc): string[] {
  const check = ajv.getSchema(`https://editor.test/${doc.kind}.schema.json`)!
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
    ['a property that is missing', screen, (text) => text.replace('"value": "= state.channel",', '')],
    ['a value that is none of the words', screen, (text) => text.replace('"tone": "quiet"', '"tone": "quite"')],
    ['a value of another type', screen, (text) => text.replace('"hideLabel": true', '"hideLabel": "yes"')],
    ['words that are no key', screen, (text) => text.replace('"label": "@funding.records"', '"label": "Records"')],
    ['a key of no text', screen, (text) => text.replace('funding.records', 'funding.recrods')],
    ['an event that the widget does not have', screen, (text) => text.replace('"on": { "press"', '"on": { "pres"')],
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
