import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { functions } from '#contract/functions/registry.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { formatted } from '#language/text/expression-texts.ts'
import { registered } from '#scripts/new/new.files.ts'
import * as newApp from '#scripts/new/new-app.files.ts'
import * as newFunction from '#scripts/new/new-function.files.ts'
import * as newWidget from '#scripts/new/new-widget.files.ts'

/**
 * `npm run new:widget meter-bar`, `npm run new:function trade.liquidationPrice` and `npm run new:app book-club`: write a working starting
 * point. Widgets and functions are added to their registry. Dependent files are generated. When a name is taken or invalid, nothing is
 * written.
 */
const root = join(import.meta.dirname, '../..')
const [kind = '', name = ''] = process.argv.slice(2)

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
} as const

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

const made = kinds[kind as keyof typeof kinds]
const refused = made.refused()
if (refused !== undefined) {
  process.stderr.write(`${refused}\n`)
  process.exitCode = 1
} else {
  const files = made.filesOf(name).map(({ path, text }) => ({ path, text: path.includes('/schemas/') ? formatted(text) : text }))
  const { registration } = made
  if (registration) {
    const { registry, constant } = registration
    const before = await readFile(join(root, registry.file), 'utf8')
    files.push({ path: registry.file, text: registered(before, registry, name, constant()) })
  }
  for (const { path, text } of files) {
    const file = join(root, path)
    if (existsSync(file) && path !== registration?.registry.file) throw new Error(`${path} exists already`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    process.stdout.write(`written: ${path}\n`)
  }
  const documents = ({ path }: { path: string }) => path.includes('/schemas/')
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
