import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer } from 'vite'
import * as z from 'zod'
import { instrumentSeeds } from '#api-server/market/instruments.ts'
import type { ExampleFile } from '#app/gallery/cases.ts'
import type { CallRow } from '#contract/call.ts'
import { deskCalls } from '#contract/calls/desk.calls.ts'
import { contract } from '#contract/contract.ts'
import type { ValueKind, ValueType } from '#contract/functions/define.ts'
import { functions } from '#contract/functions/registry.ts'
import type { TopicTable } from '#contract/topic.ts'
import { topics } from '#contract/topics.ts'
import { examplesContract, examplesTopics } from '#docs/examples/contract/examples.calls.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import type { CallManifest, FunctionManifest, JsonSchema, TopicManifest, WidgetManifest } from '#language/types/catalog.ts'
import { routeOf } from '#language/types/row-keys.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { documentTypes } from '#scripts/document-types.ts'
import { editorSchemas, namesIn } from '#scripts/editor-schemas.ts'
import { expressionGuide } from '#scripts/expression-guide.ts'
import { widgetGuide } from '#scripts/widget-guide.ts'
import { looksOf, ownNames } from '#scripts/widget-looks.ts'

/**
 * Writes what is derived from code, and from the names of documents: schemas/meta/, widgets/manifest.json, contract/[desk.]manifest.json,
 * contract/[desk.]routes.json, contract/routes.user.json, docs/examples/contract/, contract/functions/manifest.json, contract/topics.json, contract/symbols.json, docs/guides/expressions.md and docs/guides/widgets.md. `--check` writes nothing and exits 1 when a file is out of date.
 */
const root = join(import.meta.dirname, '..')

/** What a caller may send or what an answer holds, as JSON Schema without its dialect line. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as JsonSchema
  return rest
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const byName = <T extends readonly [string, unknown]>(entries: T[]): T[] => entries.sort(([a], [b]) => (a < b ? -1 : 1))

function callManifests(table: Readonly<Record<string, CallRow>>): CallManifest[] {
  return byName(Object.entries(table)).map(([name, row]) => ({
    name,
    method: row.method,
    path: row.path,
    auth: row.auth,
    ...(row.upload && { upload: row.upload }),
    ...(row.keyed && { keyed: row.keyed }),
    ...(row.reads && { reads: row.reads }),
    input: schemaOf(row.input, 'input'),
    output: schemaOf(row.output, 'output'),
    problems: [...row.problems],
    summary: row.summary,
  }))
}

const topicManifests = (table: TopicTable): TopicManifest[] =>
  Object.entries(table).map(([name, topic]) => ({ name, ...topic }) as TopicManifest)

const typeOfKind: Record<ValueKind, JsonSchema> = {
  decimal: { type: 'string', decimal: true },
  integer: { type: 'integer' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
}

const typeOf = (type: ValueType): JsonSchema => (typeof type === 'string' ? typeOfKind[type] : { ...typeOfKind.decimal, ...type.decimal })

const functionManifests = (): FunctionManifest[] =>
  functions.map(({ name, about, params, result, examples }) => ({
    name,
    about,
    params: Object.entries(params).map(([param, type]) => ({ name: param, type: typeOf(type) })),
    result: typeOf(result),
    examples: [...examples],
  }))

/** The browser's table: one line per call. */
function routeTable(calls: readonly CallManifest[], lookups: boolean): string {
  const lines = calls.map(
    (call) =>
      `  ${JSON.stringify(call.name)}: [${routeOf(call, lookups)
        .map((part) => JSON.stringify(part))
        .join(', ')}]`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Widgets import styles and views, so vite loads them as it loads them for the app. */
async function widgetManifests(): Promise<{ widgets: WidgetManifest[]; icons: string[] }> {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const [registry, icons] = await Promise.all([
      server.ssrLoadModule('/widgets/registry.ts'),
      server.ssrLoadModule('/widgets/parts/look/icons.ts'),
    ])
    const own = ownNames(root)
    const list = registry.widgets as readonly Widget<unknown, z.ZodType>[]
    const widgets = list.map(({ type, major, props, events, slots, label, states }) => {
      const allowed = Object.entries(slots).map(
        ([name, { allow, ...rest }]) => [name, { ...(allow && { allow: [...allow] }), ...rest }] as const,
      )
      return {
        type,
        major,
        props: schemaOf(props, 'input'),
        events: [...events],
        slots: Object.fromEntries(allowed),
        label,
        looks: looksOf(root, type, own),
        states: { ...states },
      }
    })
    return { widgets: widgets.sort((a, b) => (a.type < b.type ? -1 : 1)), icons: [...(icons.iconNames as readonly string[])].sort() }
  } finally {
    await server.close()
  }
}

function examplesOf(type: string): ExampleFile {
  const file = join(root, `widgets/${type}/${type}.example.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExampleFile) : { examples: [] }
}

async function generated(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [name, table] of [
    ['', contract],
    ['desk.', deskCalls],
  ] as const) {
    const calls = callManifests(table)
    files.set(`contract/${name}manifest.json`, json(calls))
    // Calls of customers come after the first paint, in a table of their own.
    const parts = name === '' ? (['none', 'user'] as const) : [undefined]
    for (const auth of parts) {
      const own = auth === undefined ? calls : calls.filter((call) => call.auth === auth)
      files.set(`contract/${name}routes${auth === 'user' ? '.user' : ''}.json`, routeTable(own, name === ''))
    }
  }
  files.set('contract/functions/manifest.json', json(functionManifests()))
  const told = topicManifests(topics)
  files.set('contract/topics.json', json(told))
  // Documents that are examples of the language have calls that no server answers.
  files.set('docs/examples/contract/manifest.json', json(callManifests(examplesContract)))
  files.set('docs/examples/contract/topics.json', json(topicManifests(examplesTopics)))
  const symbols = instrumentSeeds.map(({ symbol }) => symbol).sort()
  files.set('contract/symbols.json', json(symbols))
  files.set('docs/guides/expressions.md', expressionGuide(functionManifests()))
  const manifest = await widgetManifests()
  // Documents of the back office have the same schemas.
  const calls = [...callManifests(contract), ...callManifests(deskCalls)]
  const names = await namesIn([root, join(root, 'console')])
  for (const [name, schema] of Object.entries(editorSchemas(metaSchemas(), { ...manifest, calls, topics: told, symbols }, names)))
    files.set(`schemas/meta/${name}`, json(schema))
  const own = {
    names,
    widgets: manifest.widgets.map(({ type }) => type),
    calls: calls.map(({ name }) => name),
    functions: functionManifests(),
  }
  files.set('schemas/meta/documents.d.ts', documentTypes(metaSchemas(), own))
  files.set('widgets/manifest.json', json(manifest))
  files.set('docs/guides/widgets.md', widgetGuide(manifest.widgets, examplesOf))
  return files
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [file, text] of await generated()) {
  const before = await readFile(join(root, file), 'utf8').catch(() => undefined)
  if (before === text) continue
  stale.push(file)
  if (!check) {
    await mkdir(join(root, file, '..'), { recursive: true })
    // A development server may read it at any moment, and finds it whole.
    await writeFile(join(root, `${file}.new`), text)
    await rename(join(root, `${file}.new`), join(root, file))
  }
}
for (const file of stale) process.stdout.write(`${check ? 'out of date' : 'written'}: ${file}\n`)
if (check && stale.length > 0) {
  process.stderr.write('run npm run generate\n')
  process.exitCode = 1
}
