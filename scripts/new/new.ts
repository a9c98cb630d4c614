import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contract } from '#contract/contract.ts'
import { functions } from '#contract/functions/registry.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { formatted } from '#language/text/expression-texts.ts'
import { registered } from '#scripts/new/new.files.ts'
import * as newApp from '#scripts/new/new-app.files.ts'
import * as newFunction from '#scripts/new/new-function.files.ts'
import * as newProduct from '#scripts/new/new-product.files.ts'
import * as newSet from '#scripts/new/new-set.files.ts'
import * as newWidget from '#scripts/new/new-widget.files.ts'
import { hashOfGuards, type StatesMigration } from '#server-kit/db/state-guard.ts'

/**
 * `npm run new:widget meter-bar`, `npm run new:function trade.liquidationPrice`, `npm run new:app book-club`, `npm run new:product gold-plan` and
 * `npm run cfg -- new-set ieo`: write a working starting point. All but apps are added to the lists that name them. Dependent files are generated. When a
 * name is taken or invalid, nothing is written.
 */
const root = join(import.meta.dirname, '../..')
const [kind = '', name = ''] = process.argv.slice(2)

const areasOfTexts = () => readdirSync(join(root, 'locales/en')).map((file) => file.replace(/\.json$/, ''))
const areasOfCalls = () => Object.keys(contract).map((call) => call.split('.')[0]!)
/** Files of the starting product or set. @param folder relative to the project */
const templates = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .map((path) => ({ path, text: readFileSync(join(root, folder, path), 'utf8') }))
const refusedArea = () => newProduct.refusal(name, [...readdirSync(join(root, 'api-server')), ...areasOfTexts(), ...areasOfCalls()])

const kinds = {
  widget: {
    ...newWidget,
    refused: () => newWidget.refusal(name, readdirSync(join(root, 'widgets'))),
    registration: { registry: newWidget.registry, constant: () => newWidget.namesOf(name).constant },
    next: `edit props, view, test and ${name}.example.json, run npm run generate, and look at it: npm run dev, /gallery#/${name}`,
  },
  function: {
    ...newFunction,
    refused: () =>
      newFunction.refusal(
        name,
        functions.map((one) => one.name),
        isFunctionName,
      ),
    registration: { registry: newFunction.registry, constant: () => newFunction.constantOf(name) },
    next: 'edit the computation and its examples, run npm run generate, and look at it: npm run dev, /gallery#/functions',
  },
  app: {
    ...newApp,
    refused: () => newApp.refusal(name, readdirSync(join(root, newApp.appsFolder))),
    registration: undefined,
    next: `npm run example -- ${name}, then edit ${newApp.appsFolder}/${name}/schemas/screens/home.json and look at the page; docs/guides/your-own-app.md has the next steps`,
  },
  product: {
    filesOf: (name: string) => newProduct.filesOf(name, templates(newProduct.templatesFolder)),
    refused: refusedArea,
    registration: undefined,
    insertions: () => newProduct.insertionsOf(name),
    next: newProduct.nextOf(name),
  },
  set: {
    filesOf: (name: string) => newProduct.filesOf(name, templates(newSet.templatesFolder)),
    refused: refusedArea,
    registration: undefined,
    insertions: () => newSet.insertionsOf(name),
    next: newSet.nextOf(name),
  },
} as const

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

/** Names a new product or set in the lists and tables that it stands in. */
async function register(insertions: readonly newProduct.Insertion[]): Promise<void> {
  const changed = new Set<string>()
  async function change(insertion: Parameters<typeof newProduct.inserted>[1]): Promise<void> {
    const file = join(root, insertion.file)
    await writeFile(file, newProduct.inserted(await readFile(file, 'utf8'), insertion))
    changed.add(insertion.file)
  }
  for (const insertion of insertions) await change(insertion)
  if (kind === 'product') await registerGuards(change)
  run('@biomejs/biome/bin/biome', 'check', '--write', ...[...changed].filter((file) => file.endsWith('.ts')))
  for (const file of changed) process.stdout.write(`changed: ${file}\n`)
}

/** Names the guards of the states of a new product in the table of their test. */
async function registerGuards(change: (insertion: newProduct.Insertion) => Promise<void>): Promise<void> {
  const migration: Record<string, StatesMigration[]> = await import(join(root, `api-server/${name}/${name}.migration.ts`))
  const step = Object.values(migration)
    .flat()
    .find(({ guards }) => guards)
  await change(newProduct.guardInsertion(name, hashOfGuards(step!.guards)))
}

const made = kinds[kind as keyof typeof kinds]
const refused = made.refused()
if (refused !== undefined) {
  process.stderr.write(`${refused}\n`)
  process.exitCode = 1
} else {
  const files = made.filesOf(name).map(({ path, text }) => ({ path, text: /(?:^|\/)schemas\//.test(path) ? formatted(text) : text }))
  const { registration } = made
  if (registration) {
    const { registry, constant } = registration
    const before = await readFile(join(root, registry.file), 'utf8')
    files.push({ path: registry.file, text: registered(before, registry, name, constant()) })
  }
  // Nothing is written where a list has another form.
  const insertions = 'insertions' in made ? made.insertions() : undefined
  for (const one of insertions ?? []) newProduct.inserted(readFileSync(join(root, one.file), 'utf8'), one)
  for (const { path, text } of files) {
    const file = join(root, path)
    if (existsSync(file) && path !== registration?.registry.file) throw new Error(`${path} exists already`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    process.stdout.write(`written: ${path}\n`)
  }
  if (insertions) await register(insertions)
  const documents = ({ path }: { path: string }) => /(?:^|\/)(?:schemas|locales)\//.test(path)
  run('@biomejs/biome/bin/biome', 'check', '--write', ...files.filter((one) => !documents(one)).map(({ path }) => path))
  const generated = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/generate.ts')], {
    cwd: root,
    stdio: 'inherit',
  }).status
  if (generated !== 0) {
    process.stderr.write('The files above were written, but the files that depend on them were not generated: run npm run generate\n')
    process.exitCode = 1
  } else process.stdout.write(`Now: ${made.next}\n`)
}
