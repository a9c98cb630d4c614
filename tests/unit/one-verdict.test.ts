import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCatalog } from '#config-server/catalog.ts'
import { createCheck } from '#config-server/check.ts'
import { createShapeCheck } from '#config-server/shapes/shape-check.ts'
import { parse } from '#language/documents/parse.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { meddled, slip } from '#tests/mutations/meddled.ts'
import { catalog, checkWith, files } from '#tests/mutations/product.ts'
import { importRules } from '#tests/support/house/import-rules.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { importsOf, isTest, readCode } from '#tests/support/house/tidy.files.ts'

/**
 * Editors and programs judge documents by the JSON Schemas of schemas/meta, browsers by parser and lint, the server by both. A document of
 * which they say different things is an error of ours: here documents of the product get one mistake each, and the verdicts are compared.
 */

const names = [...files.keys()]
const shapes = createShapeCheck(catalog)

/** Rules of the text of a document and of its expressions, which no JSON Schema can state; and the schema is chosen by the kind. */
const beyondSchemas = (problem: LintProblem) =>
  problem.pointer === '/kind' ||
  problem.check === 'expressions' ||
  /may not be a name$/.test(problem.message) ||
  /^"\w+" occurs twice$/.test(problem.message)

/** One mistake in each document; a text that is no JSON has no shape. */
function mistakes(runs: number, seed: number): { file: string; text: string }[] {
  return fc.sample(slip, { numRuns: runs * names.length, seed }).map((one, i) => {
    const file = names[i % names.length] as string
    return { file, text: meddled(files.get(file) as string, { ...one, kind: one.kind % 8 }) }
  })
}

test('schema and parser judge the shape of a document alike', () => {
  const seen = { right: 0, wrong: 0 }
  const differ: string[] = []
  let waiting: { file: string; text: string; schema: LintProblem }[] = []
  for (const one of mistakes(sized(1, 60), 51)) {
    const schema = shapes.problems([one]).get(one.file)
    const parser = parse([one]).problems
    if (schema && parser.length === 0) waiting.push({ ...one, schema })
    if (!schema && parser.length > 0 && !parser.every(beyondSchemas))
      differ.push(`only the parser refuses ${one.file}${parser[0]?.pointer}: ${parser[0]?.message}`)
    seen[schema ? 'wrong' : 'right'] += 1
  }
  // The parser leaves the properties of widgets, and the names of calls and topics, to lint.
  while (waiting.length > 0) {
    const round = new Map(waiting.map((one) => [one.file, one]))
    waiting = waiting.filter((one) => round.get(one.file) !== one)
    const found = checkWith(Object.fromEntries([...round.values()].map(({ file, text }) => [file, text])))
    for (const { file, schema } of round.values())
      if (!found.some((problem) => problem.file === file && problem.severity === 'error'))
        differ.push(`only the schema refuses ${file}${schema.pointer}: ${schema.message}`)
  }
  expect(differ).toEqual([])
  expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(names.length / 4)
})

const send = { call: 'user.addOptional', id: 'id', optimistic: { at: '= now()', mine: true } }
test.each<[string, boolean, unknown, unknown?]>([
  ['whole', true, send],
  ['without members of the row', true, { call: send.call, id: 'id' }],
  ['steps about a row', true, send, [{ resend: '= item.id' }, { discard: 'x' }]],
  ['no call', false, { id: 'id' }],
  ['no id', false, { call: send.call }],
  ['an id that is no name', false, { ...send, id: 'a b' }],
  ['an unknown member', false, { ...send, args: {} }],
  ['a row that is a text', false, { ...send, optimistic: '= value' }],
  ['a call that is none of a name', false, { ...send, call: 1 }],
  ['a step about a row with more', false, send, [{ resend: 'x', as: 'y' }]],
])('schema and parser judge the rows that a source sends alike: %s', (_, right, made, enter) => {
  const file = 'schemas/screens/setting/bill.json'
  const doc = JSON.parse(files.get(file) as string)
  const [source] = Object.values(doc.data) as Record<string, unknown>[]
  Object.assign(source as object, { send: made })
  if (enter) doc.enter = enter
  const one = { file, text: JSON.stringify(doc, null, 2) }
  expect([!shapes.problems([one]).has(file), parse([one]).problems.length === 0]).toEqual([right, right])
})

describe('on the server', () => {
  const file = 'schemas/prompts/odd.json'
  const prompt = { kind: 'prompt', id: 'odd', format: 1, title: '—' }
  const problemsOf = (doc: object) =>
    createCheck(catalog, shapes)([{ file, text: JSON.stringify(doc, null, 2) }], {}).problems.filter((problem) => problem.file === file)

  test('a document that only the schema refuses is refused, with its place', () => {
    const refusing = {
      ...shapes,
      problems: () =>
        new Map([[file, { check: 'schema', severity: 'error', file, line: 5, pointer: '/title', message: 'is odd' } as const]]),
    }
    const { problems, prepared } = createCheck(catalog, refusing)([{ file, text: JSON.stringify(prompt, null, 2) }], {})
    expect([problems[0], prepared]).toEqual([
      { check: 'schema', severity: 'error', file, line: 5, pointer: '/title', message: 'is odd' },
      [],
    ])
  })

  test('a document that both refuse is refused once, in the words of the parser', () => {
    expect(problemsOf({ ...prompt, titel: 'x' })).toMatchObject([
      { check: 'parse', line: 6, pointer: '/titel', message: '"titel" is not a member here', suggestion: 'title' },
    ])
  })

  test('a document without a mistake has none', () => {
    expect(problemsOf(prompt).filter(({ check }) => check === 'schema')).toEqual([])
  })
})

test('ajv stands in no bundle of a browser: only the config server imports it', () => {
  const users = readCode('.').filter((file) => !isTest(file.path) && importsOf(file).some(({ from }) => /^ajv(?:\/|$)/.test(from)))
  expect(users.map(({ path }) => path).sort()).toEqual(['config-server/shapes/finding.ts', 'config-server/shapes/shape-check.ts'])
  // No page may import the room: of each, the first rule of imports that fits counts.
  for (const path of [
    'app/main.tsx',
    'console/main.tsx',
    'renderer/start.tsx',
    'widgets/registry.ts',
    'language/documents/parse.ts',
    'contract/contract.ts',
  ]) {
    const rule = importRules.find(({ where }) => where.test(path))
    expect(rule?.may('config-server/shapes/shape-check.ts', { path, text: '' }), path).toBe(false)
  }
})

test('the schemas on the server are those that editors read, with open names', async () => {
  const office = await readCatalog('.', { calls: 'contract/office.manifest.json' })
  const [form] = [...files].filter(([file]) => file === 'schemas/forms/fund/withdraw.json')
  const strange = (form?.[1] ?? '').replace('"max_button": true', '"max_buton": true')
  for (const known of [catalog, office])
    expect(
      createShapeCheck(known)
        .problems([{ file: 'a.json', text: strange }])
        .get('a.json'),
    ).toMatchObject({
      pointer: expect.stringMatching(/\/props\/max_buton$/),
      message: '"max_buton" is not a member here',
      suggestion: 'max_button',
    })
})
