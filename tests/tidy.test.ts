import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFiles } from '#config-server/files.ts'
import { formatted } from '#language/text/expression-texts.ts'
import { envTable } from '#server-kit/ops/env.ts'
import { importRules } from '#tests/support/house/import-rules.ts'
import { importsOf, readCode, readIfThere, withoutComments } from '#tests/support/house/tidy.files.ts'
import { rules } from '#tests/support/house/tidy.rules.ts'

const root = join(import.meta.dirname, '..')
const files = readCode(root)
/** Apps beside the product. */
const apps = readdirSync(join(root, 'examples'), { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? [`examples/${one.name}`] : [],
)

describe('the house', () => {
  test.for(rules)('$name', ({ check }) => {
    expect(check(files)).toEqual([])
  })

  test('is really looked at', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.map((file) => file.path)).toContain('server-kit/ops/env.ts')
    for (const { where } of importRules.filter((rule) => !/console|ledger/.test(String(rule.where)))) {
      expect(
        files.some((file) => where.test(file.path)),
        String(where),
      ).toBe(true)
    }
  })

  test.each(['.', 'console', 'docs/examples', ...apps])(
    'documents of %s stand in their printed form, see npm run format',
    async (folder) => {
      const documents = (await readFiles(join(root, folder))).filter(({ file }) => file.startsWith('schemas/'))
      expect(documents.length).toBeGreaterThan(5)
      expect(documents.filter(({ text }) => formatted(text) !== text).map(({ file }) => file)).toEqual([])
    },
  )

  test('every style sheet that is imported exists', () => {
    const sheets = files.flatMap((file) =>
      importsOf(file).flatMap(({ from }) => (/^#.*\.css$/.test(from) ? [{ path: file.path, from }] : [])),
    )
    expect(sheets.length).toBeGreaterThan(100)
    expect(sheets.filter(({ from }) => !existsSync(join(root, from.slice(1)))).map(({ path, from }) => `${path} imports ${from}`)).toEqual(
      [],
    )
  })

  test('the guide of the environment lists every variable', () => {
    const guide = readIfThere(root, 'docs/guides/environment.md')
    expect(Object.keys(envTable).filter((name) => !guide?.includes(`| \`${name}\``))).toEqual([])
  })
})

describe('each rule', () => {
  const samples = rules.flatMap((rule) => [
    ...rule.bad.map((sample) => ({
      rule,
      sample,
      finds: true,
      name: `finds ${sample.map((one) => one.path).join(', ')}: ${sample[0]?.text.slice(0, 60)}`,
    })),
    ...rule.good.map((sample) => ({ rule, sample, finds: false, name: `leaves ${sample.map((one) => one.path).join(', ')} alone` })),
  ])
  test.for(samples)('$rule.name: $name', ({ rule, sample, finds }) => {
    expect(rule.check(sample).length > 0).toBe(finds)
  })
})

describe('reading imports', () => {
  const rows: [string, ReturnType<typeof importsOf>][] = [
    ["import { a, type B } from '#x/a.ts'", [{ from: '#x/a.ts', line: 1, typeOnly: false }]],
    ["\nimport type { A } from '#x/a.ts'", [{ from: '#x/a.ts', line: 2, typeOnly: true }]],
    ["import {\n  type A,\n  type B,\n} from '#x/a.ts'", [{ from: '#x/a.ts', line: 1, typeOnly: true }]],
    ["import '#x/a.css'", [{ from: '#x/a.css', line: 1, typeOnly: false }]],
    ["const a = lazy(() => import('#x/a.tsx'))", [{ from: '#x/a.tsx', line: 1, typeOnly: false }]],
    ["/* import a from 'a' */ const b = 'import c'", []],
  ]
  test.for(rows)('%j', ([text, wanted]) => {
    expect(importsOf({ path: 'x/y.ts', text })).toEqual(wanted)
  })

  test('comments go, addresses in texts stay', () => {
    expect(withoutComments("const a = 'https://x' // note\n/* b */ const c = 1")).toMatch(/^const a = 'https:\/\/x' +\n +const c = 1$/)
  })
})
