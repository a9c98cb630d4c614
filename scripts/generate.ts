import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instrumentSeeds } from '#api-server/market/instruments.ts'
import { termsOfProducts } from '#api-server/products.ts'
import type { ExampleFile } from '#app/gallery/cases.ts'
import { readFiles, sourcesOf } from '#config-server/files.ts'
import { ownContractFiles } from '#config-server/own-contract.ts'
import { editorSchemas, type Names, namesIn } from '#config-server/shapes/editor-schemas.ts'
import { officeDocumentCalls, officeFlags } from '#contract/console/office.documents.ts'
import { contract } from '#contract/contract.ts'
import { functions } from '#contract/functions/registry.ts'
import { plannedCalls } from '#contract/planned.ts'
import { topics } from '#contract/topics.ts'
import { examplesContract, examplesTopics } from '#docs/examples/contract/examples.calls.ts'
import { metaSchemas } from '#language/documents/meta.ts'
import { parse } from '#language/documents/parse.ts'
import type { Catalog } from '#language/types/catalog.ts'
import { callGuide } from '#scripts/call-guide.ts'
import { mobilePlans } from '#scripts/contract/mobile-plans.ts'
import { documentTypes } from '#scripts/document-types.ts'
import { expressionGuide } from '#scripts/expression-guide.ts'
import { appCatalog, callManifests, functionManifests, json, routeTable, topicManifests, widgetManifests } from '#scripts/manifests.ts'
import { appsFolder } from '#scripts/new/new-app.files.ts'
import { partsGuide } from '#scripts/parts-guide.ts'
import { termsForm } from '#scripts/terms-form.ts'
import { widgetGuide } from '#scripts/widget-guide.ts'

/**
 * Writes what is derived from code, and from the names of documents: schemas/meta/, widgets/manifest.json, contract/[office.]manifest.json,
 * contract/[office.]routes.json, contract/routes.user.json, docs/examples/contract/, contract/functions/manifest.json, contract/topics.json, contract/symbols.json, contract/rules/mobile-plans.json, console/schemas/forms/office/terms.json, docs/guides/calls.md,
 * docs/guides/expressions.md, docs/guides/parts.md and docs/guides/widgets.md; for each app in examples/ its schemas/meta/. `--check` writes nothing and exits 1 when a file is out of date.
 */
const root = join(import.meta.dirname, '..')

function examplesOf(type: string): ExampleFile {
  const file = join(root, `widgets/${type}/${type}.example.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExampleFile) : { examples: [] }
}

/** Folders of the apps beside the product, relative to the project. */
function apps(): string[] {
  const folders = existsSync(join(root, appsFolder)) ? readdirSync(join(root, appsFolder)).sort() : []
  return folders.map((name) => `${appsFolder}/${name}`).filter((folder) => existsSync(join(root, folder, 'api.ts')))
}

/** Calls that the documents of the product may name. */
const productCalls = { ...contract, ...plannedCalls }

async function generated(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [name, table] of [
    ['', productCalls],
    ['office.', officeDocumentCalls],
  ] as const) {
    const calls = callManifests(table)
    files.set(`contract/${name}manifest.json`, json(calls))
    // Calls for customers are needed after the first paint only, so they have a table of their own.
    const parts = name === '' ? (['none', 'user'] as const) : [undefined]
    for (const auth of parts) {
      const own = auth === undefined ? calls : calls.filter((call) => call.auth === auth)
      files.set(
        `contract/${name}routes${auth === 'user' ? '.user' : ''}.json`,
        routeTable(own, name === '', name === '' ? undefined : officeFlags),
      )
    }
  }
  files.set('contract/functions/manifest.json', json(functionManifests(functions)))
  const topicList = topicManifests(topics)
  files.set('contract/topics.json', json(topicList))
  // Example documents have calls that no server answers.
  files.set('docs/examples/contract/manifest.json', json(callManifests(examplesContract)))
  files.set('docs/examples/contract/topics.json', json(topicManifests(examplesTopics)))
  const symbols = instrumentSeeds.map(({ symbol }) => symbol).sort()
  files.set('contract/symbols.json', json(symbols))
  files.set('contract/rules/mobile-plans.json', mobilePlans())
  files.set('console/schemas/forms/office/terms.json', termsForm(termsOfProducts))
  files.set('docs/guides/calls.md', callGuide(callManifests(productCalls)))
  files.set('docs/guides/expressions.md', expressionGuide(functionManifests(functions)))
  const manifest = await widgetManifests(root, 'widgets/registry.ts', ['widgets'])
  // Documents of the back office use the same schemas.
  const calls = [...callManifests(productCalls), ...callManifests(officeDocumentCalls)]
  const product = await readFiles(root)
  const names = namesIn([product, await readFiles(join(root, 'console'))])
  const { files: documents, texts } = sourcesOf(product)
  const say = (key: string) => texts.en?.[key.slice(0, key.indexOf('.'))]?.[key.slice(key.indexOf('.') + 1)]
  files.set('docs/guides/parts.md', partsGuide(parse(documents).documents, say))
  const catalog = { ...manifest, calls, functions: functionManifests(functions), topics: topicList, symbols }
  const sets: { folder: string; catalog: Catalog; names: Names }[] = [{ folder: '', catalog, names }]
  for (const folder of apps()) {
    const { files: own } = await ownContractFiles(root, join(root, folder))
    sets.push({ folder: `${folder}/`, catalog: await appCatalog(root, folder), names: namesIn([own]) })
  }
  for (const { folder, catalog, names } of sets) {
    for (const [name, schema] of Object.entries(editorSchemas(metaSchemas(), catalog, names)))
      files.set(`${folder}schemas/meta/${name}`, json(schema))
    files.set(`${folder}schemas/meta/documents.d.ts`, documentTypes(metaSchemas(), catalog, names))
  }
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
    // Written atomically, because a development server may read the file at any moment. `npm run dev` may generate at the same time, so the
    // temporary name contains the process id.
    const fresh = join(root, `${file}.${process.pid}.new`)
    await writeFile(fresh, text)
    await rename(fresh, join(root, file))
  }
}
for (const file of stale) process.stdout.write(`${check ? 'out of date' : 'written'}: ${file}\n`)
if (check && stale.length > 0) {
  process.stderr.write('run npm run generate\n')
  process.exitCode = 1
}
