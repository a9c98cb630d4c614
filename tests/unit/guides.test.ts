import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalog } from '#config-server/catalog.ts'
import { createCheck, showProblem } from '#config-server/check.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { patternNames } from '#contract/patterns.ts'
import { stepKinds } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'
import { formatKinds, isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { roots } from '#language/expression/scope.ts'
import { parseLogic } from '#language/text/logic-text.ts'
import type { Catalog } from '#language/types/catalog.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Follows the guides literally: inserts their code where they say. */

const guide = (name: string) => readFileSync(join(projectRoot, `docs/guides/${name}.md`), 'utf8')

interface Block {
  language: string
  code: string
  /** The text between the previous block and this one. */
  above: string
}
function blocksOf(text: string): Block[] {
  const parts = text.split(/^```(\w*)\n([\s\S]*?)^```$/m)
  return parts.flatMap((above, i) => (i % 3 === 0 && i + 2 < parts.length ? [{ above, language: parts[i + 1]!, code: parts[i + 2]! }] : []))
}
const pathIn = (text: string, pattern: RegExp) => text.match(pattern)?.at(-1)

/** Complete documents of a guide, by the last path before each. */
const documentsOf = (name: string): [path: string, text: string][] =>
  blocksOf(guide(name)).flatMap(({ language, code, above }): [string, string][] => {
    const path = pathIn(above, /schemas\/[\w/-]+\.json/g)
    return language === 'json' && code.includes('"kind"') && path ? [[path, code]] : []
  })

const idOf = (text: string) => {
  const { kind, id } = JSON.parse(text) as { kind: string; id: string }
  return `${kind}/${id}`
}

function problemsOf(files: ReadonlyMap<string, string>, catalog: Catalog): string[] {
  const sources = sourcesOf([...files].map(([file, text]) => ({ file, text })))
  return createCheck(catalog)(sources.files, sources.texts).problems.map(showProblem)
}

describe('documents of the guides', () => {
  const all = [...documentsOf('write-a-screen'), ...documentsOf('write-a-form')]

  test('use no name of the product’s documents', async () => {
    expect(all.map(([path]) => path)).toHaveLength(3)
    const own = parse((await readFiles(projectRoot)).filter(({ file }) => file.startsWith('schemas/'))).documents.map(({ key }) => key)
    for (const [path, text] of all) {
      expect(existsSync(join(projectRoot, path)), path).toBe(false)
      expect(own).not.toContain(idOf(text))
    }
  })
  test('match the shape of their kinds', () => {
    const { problems } = parse(all.map(([file, text]) => ({ file, text })))
    expect(problems.map(showProblem)).toEqual([])
  })

  test('the screen passes lint after its route and its texts are added', async () => {
    const text = guide('write-a-screen')
    const [files, catalog] = [
      new Map((await readFiles(projectRoot)).map(({ file, text: own }) => [file, own])),
      await readCatalog(projectRoot),
    ]
    for (const [path, code] of documentsOf('write-a-screen')) files.set(path, code)
    const routes = JSON.parse(files.get('schemas/routes.json')!) as { routes: object }
    const line = blocksOf(text).find(({ code }) => /^"pages\//.test(code))!.code
    files.set('schemas/routes.json', JSON.stringify({ ...routes, routes: { ...routes.routes, ...JSON.parse(`{${line}}`) } }))
    const market = JSON.parse(`{${blocksOf(text).find(({ code }) => code.startsWith('"movers"'))!.code}}`) as object
    const prompt = Object.fromEntries([...text.matchAll(/`"(favourites_\w+)": "([^"]+)"`/g)].map(([, key, word]) => [key, word]))
    const put = (file: string, words: object) => files.set(file, JSON.stringify({ ...JSON.parse(files.get(file)!), ...words }))
    for (const file of [...files.keys()]) {
      if (/^locales\/\w+\/market\.json$/.test(file)) put(file, market)
      if (/^locales\/(?:fr|es)\/market\.json$/.test(file)) put(file, { movers_up_many: '{{count}} of them are up today' })
      if (/^locales\/\w+\/prompt\.json$/.test(file)) put(file, prompt)
    }
    expect(problemsOf(files, catalog)).toEqual([])
  })

  test('the page in README passes lint', async () => {
    const files = new Map((await readFiles(projectRoot)).map(({ file, text }) => [file, text]))
    const shown = blocksOf(readFileSync(join(projectRoot, 'README.md'), 'utf8')).find(({ language }) => language === 'json')!.code
    files.set('schemas/screens/common/contactus.json', shown)
    expect(problemsOf(files, await readCatalog(projectRoot))).toEqual([])
  })
})

/** Operators with another notation as text. */
const written: Readonly<Record<string, string>> = { '===': '=', '!==': '!=', '!': 'not' }

/** Functions are excluded, because other tests may have registered some. */
const operatorNames = Object.keys(operators).filter((name) => !isFunctionName(name))

describe('the references in write-a-screen and expressions are complete', () => {
  const text = guide('write-a-screen') + guide('expressions')
  test.each([
    ['step', Object.keys(stepKinds).map((kind) => `{"${kind}":`)],
    ['operator', operatorNames.map((operator) => `\`${written[operator] ?? operator}\``)],
    ['pattern of match', patternNames.map((name) => `\`${name}\``)],
    ['kind of format', formatKinds.map((name) => `\`${name}\``)],
    ['root', roots.map((root) => `\`${root}\``)],
  ])('names every %s', (_what, names) => {
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })
  test('does not claim that there are no forms or accounts', () => {
    expect(text).not.toMatch(/no forms|no accounts|in this build\)/)
  })
})

describe('code of the guides', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'guides-'))
    for (const name of [
      'contract',
      'api-server',
      'server-kit',
      'language',
      'app',
      'renderer',
      'widgets',
      'tests/support',
      'package.json',
      'tsconfig.json',
    ])
      cpSync(join(projectRoot, name), join(root, name), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const put = (file: string, code: string) => writeFileSync(join(root, file), code)
  /** Inserts code after the first line that ends with `after`. */
  function insert(file: string, after: string, code: string): void {
    const text = readFileSync(join(root, file), 'utf8')
    const at = text.indexOf(`${after}\n`)
    expect(at, `${file}: ${after}`).toBeGreaterThanOrEqual(0)
    put(file, `${text.slice(0, at + after.length + 1)}${code}${text.slice(at + after.length + 1)}`)
  }

  test('the function of write-a-function gives the result of its example, and the guide’s document calls it', () => {
    const blocks = blocksOf(guide('write-a-function'))
    put('contract/functions/trade.share.function.ts', blocks.find(({ code }) => code.includes('defineFunction'))!.code)
    const compute = `import { tradeShare as one } from '#contract/functions/trade.share.function.ts'
      console.log(JSON.stringify({ name: one.name, params: one.params, given: one.examples.map((example) => [one.run(example.args), example.gives]) }))`
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', compute], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout, stderr).not.toBe('')
    const { name, params, given } = JSON.parse(stdout) as { name: string; params: object; given: [string, string][] }
    for (const [got, said] of given) expect(got).toBe(said)
    const { values } = JSON.parse(`{${blocks.find(({ language }) => language === 'json')!.code}}`) as { values: Record<string, string> }
    const read = parseLogic(Object.values(values)[0]!)
    expect(read).toMatchObject({ ok: true, logic: { [name]: Object.keys(params).map(() => expect.anything()) } })
  })

  test('compiles at the place that the guide names', { tags: 'full' }, () => {
    const call = blocksOf(guide('add-a-call'))
    const code = (start: string, above = '') => call.find((block) => block.code.startsWith(start) && block.above.includes(above))!.code
    insert('contract/calls/market.calls.ts', 'export const marketCalls = calls({', code("'market.movers': {\n  method"))
    put('api-server/market/movers.rules.ts', code('import Big'))
    insert('api-server/market/market.handlers.ts', "    'market.quotation': kept(() => true),", code("'market.movers': ({"))
    put(
      'api-server/market/market.handlers.ts',
      `import { gainersFirst } from '#api-server/market/movers.rules.ts'\n${readFileSync(join(root, 'api-server/market/market.handlers.ts'), 'utf8')}`,
    )
    insert(
      'tests/support/right-inputs.ts',
      'const rightInput: Record<Exclude<CallName, keyof typeof preparedInputs>, Record<string, string>> = {',
      code("'market.movers'", 'tests/support/right-inputs.ts'),
    )
    const fields = readFileSync(join(root, 'tests/support/call-fields.ts'), 'utf8')
    const first = fields.split('\n').find((line) => /^export const \w+.*\{$/.test(line))!
    insert('tests/support/call-fields.ts', first, code("'market.movers'", 'tests/support/call-fields.ts'))

    const widget = blocksOf(guide('write-a-widget'))
    const folder = 'widgets/fill-bar'
    expect(existsSync(join(root, folder)), 'the example is not a widget of the product').toBe(false)
    cpSync(join(root, 'widgets/meter-bar'), join(root, folder), { recursive: true })
    for (const name of [
      'meter-bar.props.ts',
      'meter-bar.widget.ts',
      'MeterBar.tsx',
      'MeterBar.module.css',
      'meter-bar.example.json',
      'filled.rules.ts',
      'filled.rules.test.ts',
    ])
      rmSync(join(root, folder, name), { force: true })
    const of = (language: string, has: string) => widget.find((block) => block.language === language && block.code.includes(has))!.code
    put(`${folder}/fill-bar.props.ts`, of('ts', 'z.output'))
    put(`${folder}/fill-bar.widget.ts`, of('ts', 'defineWidget'))
    put(`${folder}/FillBar.tsx`, of('tsx', 'export function FillBar'))
    put(`${folder}/FillBar.module.css`, of('css', '.meter'))
    put(`${folder}/filled.rules.ts`, of('ts', 'export function filled'))
    put(`${folder}/filled.rules.test.ts`, of('ts', 'test.each'))

    const include = ['api-server/market/movers.rules.ts', 'api-server/market/market.handlers.ts', 'tests/support/right-inputs.ts']
    const own = { extends: './tsconfig.json', include: [...include, 'tests/support/call-fields.ts', `${folder}/*`], exclude: [] }
    put('tsconfig.guides.json', JSON.stringify(own))
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.guides.json'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })
})
