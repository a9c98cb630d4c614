import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { filesOf, refusal, registered } from '#scripts/new-widget.files.ts'

/**
 * `npm run new:widget meter-bar`: writes the folder of a widget that works, names it in widgets/registry.ts and generates what follows from
 * it. Refuses a name that is taken or badly formed, and then writes nothing.
 */
const root = join(import.meta.dirname, '..')
const type = process.argv[2] ?? ''

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

const refused = refusal(type, readdirSync(join(root, 'widgets')))
if (refused !== undefined) {
  process.stderr.write(`${refused}\n`)
  process.exitCode = 1
} else {
  const registry = join(root, 'widgets/registry.ts')
  const listed = registered(await readFile(registry, 'utf8'), type)
  for (const { path, text } of filesOf(type)) {
    const file = join(root, path)
    if (existsSync(file)) throw new Error(`${path} is there already`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    process.stdout.write(`written: ${path}\n`)
  }
  await writeFile(registry, listed)
  process.stdout.write('written: widgets/registry.ts\n')
  run('@biomejs/biome/bin/biome', 'check', '--write', `widgets/${type}`, 'widgets/registry.ts')
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/generate.ts')], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  else process.stdout.write(`Now: say in ${type}.example.json what it is for, and look at it: npm run dev, /gallery#/${type}\n`)
}
