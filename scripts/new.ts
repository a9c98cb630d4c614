import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { functions } from '#contract/functions/registry.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { registered } from '#scripts/new.files.ts'
import * as newFunction from '#scripts/new-function.files.ts'
import * as newWidget from '#scripts/new-widget.files.ts'

/**
 * `npm run new:widget meter-bar` and `npm run new:function trade.liquidationPrice`: write what works, name it in its registry and generate
 * what follows from it. A name that is taken or badly formed is refused, and then nothing is written.
 */
const root = join(import.meta.dirname, '..')
const [kind = '', name = ''] = process.argv.slice(2)

const kinds = {
  widget: {
    ...newWidget,
    refused: () => newWidget.refusal(name, readdirSync(join(root, 'widgets'))),
    constant: () => newWidget.namesOf(name).constant,
    next: `say in ${name}.example.json what it is for, and look at it: npm run dev, /gallery#/${name}`,
  },
  function: {
    ...newFunction,
    refused: () =>
      newFunction.refusal(
        name,
        functions.map((one) => one.name),
        isFunctionName,
      ),
    constant: () => newFunction.constantOf(name),
    next: 'write what it computes and its examples, run npm run generate, and look at it: npm run dev, /gallery#/functions',
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
  const { registry } = made
  const listed = registered(await readFile(join(root, registry.file), 'utf8'), registry, name, made.constant())
  const files = made.filesOf(name)
  for (const { path, text } of files) {
    const file = join(root, path)
    if (existsSync(file)) throw new Error(`${path} is there already`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    process.stdout.write(`written: ${path}\n`)
  }
  await writeFile(join(root, registry.file), listed)
  process.stdout.write(`written: ${registry.file}\n`)
  run('@biomejs/biome/bin/biome', 'check', '--write', ...files.map(({ path }) => path), registry.file)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/generate.ts')], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  else process.stdout.write(`Now: ${made.next}\n`)
}
