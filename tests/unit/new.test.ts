import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalog } from '#config-server/catalog.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { ownContractFiles } from '#config-server/own-contract.ts'
import { editorSchemas, namesIn } from '#config-server/shapes/editor-schemas.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import { parse } from '#language/documents/parse.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { lintParsed } from '#language/lint/run.ts'
import type { CallManifest } from '#language/types/catalog.ts'
import { registered } from '#scripts/new/new.files.ts'
import * as newApp from '#scripts/new/new-app.files.ts'
import * as newFunction from '#scripts/new/new-function.files.ts'
import * as newProduct from '#scripts/new/new-product.files.ts'
import * as newSet from '#scripts/new/new-set.files.ts'
import { filesOf, namesOf, refusal, registry } from '#scripts/new/new-widget.files.ts'

const project = join(import.meta.dirname, '../..')

describe('the name', () => {
  const existing = ['row', 'quote-list']
  test.each([
    ['tide-bar', true],
    ['a', true],
    ['qr2', true],
    ['', false],
    ['row', false],
    ['Meter', false],
    ['meter_bar', false],
    ['meter bar', false],
    ['-meter', false],
    ['meter-', false],
    ['meter--bar', false],
    ['2fa', false],
    ['../meter', false],
    ['parts', false],
    ['screen', false],
    ['m'.repeat(41), false],
  ])('%j', (type, may) => {
    expect(refusal(type, existing) === undefined).toBe(may)
  })
  test.each([
    ['tide-bar', { view: 'TideBar', constant: 'tideBar' }],
    ['switch', { view: 'Switch', constant: 'switchWidget' }],
    ['qr-code2', { view: 'QrCode2', constant: 'qrCode2' }],
  ])('%s gives names for code', (type, names) => {
    expect(namesOf(type)).toEqual(names)
  })
})

describe('the registry', () => {
  const before = readFileSync(join(project, 'widgets/registry.ts'), 'utf8')
  const list = (text: string) => text.slice(text.indexOf('= [')).match(/\w+(?=,)/g) ?? []
  test.each(['aaa', 'tide-bar', 'zzz'])('takes %s and loses nothing', (type) => {
    const { constant } = namesOf(type)
    const after = registered(before, registry, type, constant)
    expect(list(after).filter((name) => name !== constant)).toEqual(list(before))
    expect(list(after)).toContain(constant)
    expect(after.split('\n').filter((line) => line.includes(`/${type}.widget.ts'`))).toHaveLength(1)
  })
  test('stands in the order of the alphabet', () => {
    expect(
      list(
        registered(
          "import { a } from '#widgets/a/a.widget.ts'\nimport { c } from '#widgets/c/c.widget.ts'\n\nexport const widgets = [\n  a,\n  c,\n] as const\n",
          registry,
          'b',
          'b',
        ),
      ),
    ).toEqual(['a', 'b', 'c'])
  })
  test('that looks otherwise is left alone', () => {
    expect(() => registered('export const widgets = []\n', registry, 'b', 'b')).toThrow('does not have the expected form')
  })
})

describe('the name of a function', () => {
  test.each([
    ['trade.liquidationPrice', undefined],
    ['', /a name is required/],
    ['liquidationPrice', /an area and a name/],
    ['Trade.price', /an area and a name/],
    ['data.price', /not a root/],
    ['trade.price.last', /an area and a name/],
    ['wallet.withdrawFee', /already/],
    [`trade.${'p'.repeat(60)}`, /longer/],
  ])('%j', (name, why) => {
    const refused = newFunction.refusal(name, ['wallet.withdrawFee'], isFunctionName)
    if (why) expect(refused).toMatch(why)
    else expect(refused).toBeUndefined()
  })
})

describe('an app', () => {
  test.each([
    ['book-club', undefined],
    ['', /a name is required/],
    ['Book', /small letters/],
    ['book_club', /small letters/],
    ['../book', /small letters/],
    ['lending-library', /already/],
    ['b'.repeat(41), /longer/],
  ])('%j', (name, why) => {
    const refused = newApp.refusal(name, ['lending-library'])
    if (why) expect(refused).toMatch(why)
    else expect(refused).toBeUndefined()
  })

  test('has documents that pass every check, with the words of the engine and the look of the project', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-new-app-'))
    try {
      for (const { path, text } of newApp.filesOf('book-club')) {
        const file = join(folder, path.slice('examples/book-club/'.length))
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
      const { files } = await ownContractFiles(project, folder)
      const { files: documents, texts, problems } = sourcesOf(files)
      const parsed = parse(documents)
      const hello: CallManifest = {
        name: 'bookclub.hello',
        method: 'GET',
        path: '/bookclub/hello',
        auth: 'none',
        reads: true,
        problems: [],
        summary: '',
        input: { type: 'object', properties: {} },
        output: { type: 'object', properties: { time: { type: 'integer' } }, required: ['time'] },
      }
      const catalog = { ...(await readCatalog(project)), calls: [hello] }
      const found = lintParsed(parsed, texts, catalog)
      expect([...problems, ...parsed.problems, ...found].map(({ file, pointer, message }) => `${file} ${pointer} ${message}`)).toEqual([])
      expect(parsed.documents.map(({ doc }) => doc.kind).sort()).toEqual(['app', 'quick-entries', 'routes', 'screen', 'theme'])
      const editor = new Ajv2020({ strict: false })
      for (const [name, schema] of Object.entries(editorSchemas(metaSchemas(), catalog, namesIn([files]))))
        editor.addSchema(schema, `file:///schemas/meta/${name}`)
      const own = (await readFiles(folder)).filter(({ file }) => file.startsWith('schemas/'))
      expect(own).toHaveLength(4)
      for (const { file, text } of own) {
        const doc = JSON.parse(text) as { $schema: string; kind: string }
        const { href } = new URL(doc.$schema, `file:///${file}`)
        expect(href).toBe(`file:///schemas/meta/${doc.kind}.schema.json`)
        const check = editor.getSchema(href)!
        expect(check(doc), `${file} ${JSON.stringify(check.errors)}`).toBe(true)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

const templatesIn = (folder: string) =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => ({ path, text: readFileSync(join(project, folder, path), 'utf8') }))

describe('a set with planned calls', () => {
  const files = newProduct.filesOf('test-only-plan', templatesIn(newSet.templatesFolder))

  test('has its own name everywhere, in files that are not there yet', () => {
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['contract/planned/test-only-plan.calls.ts', 'schemas/screens/test_only_plan/list.json']),
    )
    for (const { path, text } of [...files, ...newSet.insertionsOf('test-only-plan').map(({ file, text }) => ({ path: file, text }))])
      expect(text, path).not.toMatch(/sample(?!s? (?:answer|text))/i)
    for (const { path } of files) expect(existsSync(join(project, path)), path).toBe(false)
  })
  test('has the same texts in each language, and only its name is to be translated', () => {
    const words = files.flatMap(({ path, text }) => {
      const language = /^locales\/(\w+)\//.exec(path)?.[1]
      return language === undefined ? [] : [[language, JSON.parse(text) as Record<string, string>] as const]
    })
    expect(words.map(([language]) => language).sort()).toEqual(['en', 'es', 'fr', 'hk', 'ja', 'ko', 'th', 'zh'])
    const english = Object.fromEntries(words).en!
    const arguments_ = (text: string) => text.match(/\{\{\w+\}\}/g) ?? []
    for (const [language, own] of words) {
      expect(Object.keys(own), language).toEqual(Object.keys(english))
      const marked = Object.entries(own).flatMap(([key, text]) => (text.startsWith('[en] ') ? key : []))
      expect(marked, language).toEqual(language === 'en' ? [] : ['title'])
      for (const [key, text] of Object.entries(own))
        expect(arguments_(text).sort(), `${language} ${key}`).toEqual(arguments_(english[key]!).sort())
    }
  })
  test('is named in lists that have the expected form, and nothing is lost', () => {
    for (const insertion of newSet.insertionsOf('test-only-plan')) {
      const before = readFileSync(join(project, insertion.file), 'utf8')
      expect(newProduct.inserted(before, insertion).replace(insertion.text, ''), insertion.file).toBe(before)
    }
  })
})

describe('a product', () => {
  test.each([
    ['gold-plan', undefined],
    ['gold', undefined],
    ['', /a name is required/],
    ['Gold', /small letters/],
    ['gold_plan', /small letters/],
    ['gold-2', /begins with a letter/],
    ['../gold', /small letters/],
    ['wallet', /is taken/],
    ['sea-view', /is taken/],
    ['g'.repeat(25), /longer/],
  ])('%j', (name, why) => {
    const refused = newProduct.refusal(name, ['wallet', 'sea_view'])
    if (why) expect(refused).toMatch(why)
    else expect(refused).toBeUndefined()
  })

  const templates = templatesIn(newProduct.templatesFolder)
  const insertions = newProduct.insertionsOf('test-only-plan')

  test('has its own name everywhere, in files that are not there yet', () => {
    const files = newProduct.filesOf('test-only-plan', templates)
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['api-server/test-only-plan/test-only-plan.ts', 'locales/th/test_only_plan.json']),
    )
    for (const { path, text } of [...files, ...insertions.map(({ file, text }) => ({ path: file, text }))])
      expect(text, path).not.toMatch(/sample/i)
    for (const { path } of files) expect(existsSync(join(project, path)), path).toBe(false)
  })

  test('is named in lists that have the expected form, and nothing is lost', () => {
    const texts = new Map<string, string>()
    for (const insertion of [...insertions, newProduct.guardInsertion('test-only-plan', '0123456789ab')]) {
      const before = texts.get(insertion.file) ?? readFileSync(join(project, insertion.file), 'utf8')
      const after = newProduct.inserted(before, insertion)
      const isThere = 'unless' in insertion && insertion.unless !== undefined && before.includes(insertion.unless)
      expect(isThere ? after : after.replace(insertion.text, ''), insertion.file).toBe(before)
      texts.set(insertion.file, after)
    }
    const products = texts.get('api-server/products.ts')
    expect(products).toMatch(/import \{ testOnlyPlan \} from [^\n]+\n\n\/\*\*\n \* Products/)
    expect(products).toMatch(/products: readonly Module\[\] = \[[^\]]+, testOnlyPlan\]/)
    for (const [file, text] of texts) if (file.endsWith('.json')) expect(() => JSON.parse(text), file).not.toThrow()
    expect(() => newProduct.inserted('export const products = {}', insertions[1]!)).toThrow('does not have the expected form')
  })
})

describe('in a copy of the project', () => {
  let root = ''
  const type = 'tide-bar'
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const widget = (name: string) => run('--import', 'tsx', join(root, 'scripts/new/new.ts'), 'widget', name)

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'tessera-new-widget-'))
    for (const part of [
      'api-server',
      'server-kit',
      'config-server',
      'contract',
      'language',
      'app',
      'renderer',
      'scripts',
      'widgets',
      'docs',
      'package.json',
      'tsconfig.json',
      'biome.json',
      '.gitignore',
    ]) {
      if (existsSync(join(project, part))) cpSync(join(project, part), join(root, part), { recursive: true })
    }
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('a widget is made that is registered, generated, typed, formatted and passes its test', { tags: 'full' }, () => {
    const made = widget(type)
    expect(made.stderr).toBe('')
    expect(made.status).toBe(0)
    expect(readdirSync(join(root, 'widgets', type)).sort()).toEqual(
      filesOf(type)
        .map(({ path }) => path.slice(`widgets/${type}/`.length))
        .sort(),
    )
    const manifest = JSON.parse(readFileSync(join(root, 'widgets/manifest.json'), 'utf8')) as { widgets: { type: string; label: string }[] }
    expect(manifest.widgets.find((one) => one.type === type)).toMatchObject({ label: 'label', events: ['press'] })
    expect(readFileSync(join(root, 'docs/guides/widgets.md'), 'utf8')).toContain(`## ${type}\n`)

    const lint = run(
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'check',
      '--error-on-warnings',
      `widgets/${type}`,
      'widgets/registry.ts',
    )
    expect(lint.stdout + lint.stderr).not.toMatch(/━━|error/i)
    expect(lint.status).toBe(0)

    writeFileSync(join(root, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include: [`widgets/${type}/**/*`] }))
    const types = run(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.new.json')
    expect(types.stdout.split('\n').filter((line) => line.startsWith(`widgets/${type}/`))).toEqual([])

    const tested = run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', root, `widgets/${type}`)
    expect(tested.stdout).toMatch(/3 passed/)
  })

  test('a function is made that is registered, generated, typed, formatted and passes its test', { tags: 'full' }, () => {
    const name = 'trade.share'
    const made = run('--import', 'tsx', join(root, 'scripts/new/new.ts'), 'function', name)
    expect(made.stderr).toBe('')
    expect(made.status).toBe(0)
    const manifest = JSON.parse(readFileSync(join(root, 'contract/functions/manifest.json'), 'utf8')) as { name: string }[]
    expect(manifest.map((one) => one.name)).toContain(name)
    const lint = run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', 'contract/functions')
    expect(lint.status, lint.stdout + lint.stderr).toBe(0)
    writeFileSync(join(root, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include: ['contract/functions/**/*'] }))
    const types = run(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.new.json')
    expect(types.stdout.split('\n').filter((line) => line.startsWith('contract/'))).toEqual([])
    const tested = run(join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=verbose', '--root', root, 'contract/functions')
    expect(tested.stdout).toContain(name)
    expect(tested.status, tested.stdout).toBe(0)
  })

  test('a product is made that is registered, generated, typed and formatted, and its rules pass their test', { tags: 'full' }, () => {
    const copy = mkdtempSync(join(tmpdir(), 'tessera-new-product-'))
    try {
      for (const part of readdirSync(project)) {
        if (!/^(?:node_modules|dist|data|\.git)$/.test(part)) cpSync(join(project, part), join(copy, part), { recursive: true })
      }
      symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
      const inCopy = (...args: string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
      const made = inCopy('--import', 'tsx', 'scripts/new/new.ts', 'product', 'test-only-plan')
      expect(made.stderr).toBe('')
      expect(made.status).toBe(0)
      const products = readFileSync(join(copy, 'api-server/products.ts'), 'utf8')
      expect(products).toContain('testOnlyPlan]')
      const types = inCopy('node_modules/typescript/bin/tsc', '--noEmit')
      expect(types.stdout).toBe('')
      const lint = inCopy('--import', 'tsx', 'config-server/cli.ts', 'lint')
      expect(lint.stdout).toContain(' 0 errors, 0 warnings')
      const checked = inCopy('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', 'api-server', 'contract', 'tests')
      expect(checked.status, checked.stderr).toBe(0)
      const tested = inCopy('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'api-server/test-only-plan')
      expect(tested.stdout).toMatch(/18 passed/)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })

  test.each(['badge', 'Bad'])('%j is refused and nothing is written', (name) => {
    const before = readFileSync(join(root, 'widgets/registry.ts'), 'utf8')
    const folders = readdirSync(join(root, 'widgets'))
    const { status, stderr } = widget(name)
    expect(status).toBe(1)
    expect(stderr).not.toBe('')
    expect(readFileSync(join(root, 'widgets/registry.ts'), 'utf8')).toBe(before)
    expect(readdirSync(join(root, 'widgets'))).toEqual(folders)
  })
})
