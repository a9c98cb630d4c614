/**
 * Installs what is missing, builds what is out of date, and runs the server in this process. `--dev` serves the sources instead: changes of
 * code and documents appear in the open page.
 */
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`)
  process.exit(1)
}

if (process.argv.includes('--dev')) {
  ensureInstalled(root, { dev: true })
  runDev()
} else {
  ensureInstalled(root, { dev: false })
  ensureBuilt(root)
  process.env.NODE_ENV ??= 'production'
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}

/**
 * Changes of the app's code appear in the open page. The server process restarts when its code or a manifest, which it reads once, changes.
 * Manifests are generated again when the code that they describe changes.
 */
function runDev() {
  const serverRooms = ['api-server', 'config-server', 'server-kit', 'contract', 'language']
  const describedRooms = ['contract', 'widgets']
  const manifests = [
    'contract/manifest.json',
    'contract/functions/manifest.json',
    'contract/topics.json',
    'contract/symbols.json',
    'widgets/manifest.json',
  ]
  let child
  let generator
  let timer
  let ending = false
  let again = false
  /** Work for the next run. */
  let due = { generate: false, restart: false }
  const start = () => {
    again = false
    child = spawn(process.execPath, ['--import', 'tsx', 'main.ts', '--dev'], { stdio: 'inherit', cwd: root })
    child.on('exit', (code) => {
      child = undefined
      if (ending) process.exit(code ?? 1)
      if (again) start()
      else console.error('The server has stopped; it restarts at the next change.')
    })
  }
  const turn = () => {
    // One generator at a time; later changes are handled after it.
    if (generator || ending) return
    const { generate, restart } = due
    due = { generate: false, restart: false }
    if (generate) {
      due.restart = restart
      generator = spawn(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], { stdio: 'inherit', cwd: root })
      generator.on('exit', () => {
        generator = undefined
        soon()
      })
    } else if (restart) {
      if (!child) return start()
      again = true
      child.kill('SIGTERM')
    }
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(turn, 200)
  }
  const changed = (file) => {
    const [room] = file.split('/')
    const code = file.endsWith('.ts') && !file.endsWith('.test.ts')
    const restart = manifests.includes(file) || (code && serverRooms.includes(room))
    const generate = code && describedRooms.includes(room)
    if (!restart && !generate) return
    due = { generate: due.generate || generate, restart: due.restart || restart }
    soon()
  }
  for (const room of new Set([...serverRooms, ...describedRooms])) {
    if (!existsSync(join(root, room))) continue
    watch(join(root, room), { recursive: true }, (_event, file) => file && changed(`${room}/${file.replaceAll('\\', '/')}`))
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      ending = true
      generator?.kill(signal)
      if (child) child.kill(signal)
      else process.exit(0)
    })
  }
  start()
}
