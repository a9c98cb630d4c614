/**
 * Installs what is missing, builds what is out of date, and runs the server in this very process.
 * `--dev` serves the sources instead: code and documents are replaced in the open page as they change.
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

/** Server code is not replaced in place: its process starts anew. Code of the app is replaced by the page itself. */
function runDev() {
  const serverRooms = ['api-server', 'config-server', 'server-kit', 'contract', 'language']
  let child
  let again = false
  let timer
  let ending = false
  const start = () => {
    again = false
    child = spawn(process.execPath, ['--import', 'tsx', 'main.ts', '--dev'], { stdio: 'inherit', cwd: root })
    child.on('exit', (code) => {
      child = undefined
      if (ending) process.exit(code ?? 1)
      if (again) start()
      else console.error('The server ended; it starts again at the next change.')
    })
  }
  const restart = (_event, file) => {
    if (!file?.endsWith('.ts') || /\.test\.ts$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!child) return start()
      again = true
      child.kill('SIGTERM')
    }, 200)
  }
  for (const room of serverRooms) if (existsSync(join(root, room))) watch(join(root, room), { recursive: true }, restart)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      ending = true
      if (child) child.kill(signal)
      else process.exit(0)
    })
  }
  start()
}
