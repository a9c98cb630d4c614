import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Checker, createChecker } from '#console/io/checker.ts'
import type { Catalog } from '#language/types/catalog.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { widgets, icons } = read('widgets/manifest.json')
const catalog: Catalog = {
  widgets,
  icons,
  calls: read('contract/manifest.json'),
  functions: read('contract/functions/manifest.json'),
  symbols: read('contract/symbols.json'),
  topics: read('contract/topics.json'),
}
const files: Record<string, string> = {}
for (const folder of ['schemas', 'locales'])
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue
    const path = join(entry.parentPath, entry.name).slice(root.length + 1)
    if (!path.startsWith('schemas/meta/')) files[path] = readFileSync(join(root, path), 'utf8')
  }

let checker: Checker
let first: ReturnType<Checker['change']>
beforeAll(() => {
  checker = createChecker(catalog)
  first = checker.change(files)
})
const touched = new Set<string>()
const change: Checker['change'] = (texts) => {
  for (const path of Object.keys(texts)) touched.add(path)
  return checker.change(texts)
}
afterEach(() => {
  checker.change(Object.fromEntries([...touched].map((path) => [path, files[path] ?? null])))
  touched.clear()
})
const errors = () => checker.problems().filter(({ severity }) => severity === 'error')
const home = 'locales/en/home.json'
const theme = 'schemas/theme.json'

test('the product has no errors, and every document is prepared', () => {
  expect(errors()).toEqual([])
  expect(first.unread).toEqual([])
  expect(first.documents.map(({ key }) => key)).toEqual(expect.arrayContaining(['app/app', 'theme/theme', 'routes/routes']))
  expect(first.documents.some(({ key }) => key.startsWith('fragment/'))).toBe(false)
  expect(first.words['en/home']).toEqual(JSON.parse(files[home]!))
})

test('a change tells what it changed and nothing else', () => {
  expect(change({ [theme]: files[theme]!.replace('#0E1116', '#0E1117') })).toMatchObject({
    documents: [{ key: 'theme/theme' }],
    words: {},
    removed: [],
    unread: [],
  })
  expect(change({ [theme]: `${files[theme]}\n` }).documents).toMatchObject([{ key: 'theme/theme' }])
  expect(change({ [theme]: `${files[theme]} ` }).documents).toEqual([])
  expect(change({ [home]: files[home]!.replace('": "', '": "x') })).toMatchObject({ documents: [], removed: [] })
})

test('a fragment changes the screens that show it', () => {
  const path = Object.keys(files).find((one) => one.startsWith('schemas/fragments/'))!
  const changed = change({ [path]: files[path]!.replace('"id": "', '"id": "z') })
  expect(changed.unread).toEqual([])
})

test('what cannot be read keeps its last good state, and says where it is wrong', () => {
  const broken = change({ [theme]: '{ "kind": ', [home]: '{' })
  expect(broken).toMatchObject({ documents: [], removed: [], words: {}, unread: [theme] })
  const found = errors()
  expect(found.map(({ file }) => file).sort()).toEqual([home, theme])
  expect(found.every(({ line }) => line >= 1)).toBe(true)
  change({ [theme]: files[theme]!, [home]: files[home]! })
  expect(errors()).toEqual([])
})

test('a document that is taken out is told, and so is who misses it', () => {
  expect(change({ [theme]: null }).removed).toEqual(['theme/theme'])
  const screen = Object.keys(files).find((one) => one.startsWith('schemas/screens/home'))!
  expect(change({ [screen]: null }).removed.length).toBe(1)
  expect(errors().length).toBeGreaterThan(0)
})

test('two files of one name are told', () => {
  change({ 'schemas/theme-2.json': files[theme]! })
  expect(errors()).toMatchObject([{ file: theme, message: expect.stringContaining('already defined') }])
})

test('a word that is missing in one language does not stop the picture', () => {
  const { [Object.keys(JSON.parse(files[home]!))[0]!]: _, ...rest } = JSON.parse(files[home]!)
  expect(change({ [home]: JSON.stringify(rest) }).words['en/home']).toEqual(rest)
  expect(errors().length).toBeGreaterThan(0)
})

test('a set that is opened with a file that cannot be read blames no other file', () => {
  const screen = 'schemas/screens/home/home.json'
  for (const text of [files[screen]!.replace(/\}\s*$/, ''), '{']) {
    const opened = createChecker(catalog)
    expect(opened.change({ ...files, [screen]: text }).unread).toEqual([screen])
    const found = opened.problems().filter(({ severity }) => severity === 'error')
    expect([...new Set(found.map(({ file }) => file))]).toEqual([screen])
  }
})

test('a set that is opened with an unfinished file shows the file of the base', () => {
  const form = 'schemas/forms/setting/nickname.json'
  const half = files[form]!.replace('"required": true', '"required": { "$unfinished": "form." }')
  expect(half).not.toBe(files[form])
  const shown = (base?: Record<string, string>) => {
    const { documents, unread } = createChecker(catalog).change({ ...files, [form]: half }, base)
    return { unread, canonical: documents.find(({ key }) => key === 'form/setting.nickname')?.canonical }
  }
  const sound = first.documents.find(({ key }) => key === 'form/setting.nickname')!.canonical
  expect(shown({ [form]: files[form]! })).toEqual({ unread: [form], canonical: sound })
  expect(shown()).toEqual({ unread: [form], canonical: undefined })
})

test('documents are given as the engine reads them, also what is left of one that cannot be read', () => {
  const [form, rule] = ['schemas/forms/fund/withdraw.json', 'schemas/validations/amount.json']
  expect(Object.keys(first.sources)).toEqual(Object.keys(files).filter((file) => file.startsWith('schemas/')))
  // A field that is written without the usual widget of its type, and an expression that is written as text.
  expect(files[form]).not.toContain('"decimal-field"')
  expect(first.sources[form]).toMatchObject({ file: form, text: files[form], key: 'form/fund.withdraw' })
  expect(JSON.stringify(first.sources[form]?.doc)).toContain('"widget":"decimal-field"')
  expect(first.sources[rule]?.doc).toMatchObject({
    test: { and: [{ match: [{ var: 'value' }, 'amount'] }, { '>': [{ var: 'value' }, 0] }] },
  })

  const half = files[rule]!.replace('value > 0', 'value >')
  expect(change({ [rule]: half })).toMatchObject({
    unread: [rule],
    sources: { [rule]: { text: half, doc: { id: 'amount', test: false } } },
  })
  expect(change({ [rule]: '[' }).sources[rule]).toMatchObject({ text: files[rule], doc: first.sources[rule]!.doc })
  expect(change({ [rule]: null, [theme]: files[theme]! }).sources).toMatchObject({ [rule]: null, [theme]: { key: 'theme/theme' } })
})
