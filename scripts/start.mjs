/**
 * Installs what is missing, builds what is out of date, and runs the server in this process. `--dev` serves the sources instead: changes of
 * code and documents appear in the open page.
 */
import { spawn } from 'node:child_process'
import { dirname, join, relative, sep } from 'node:path'
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
  await runDev()
} else {
  ensureInstalled(root, { dev: false })
  await ensureBuilt(root)
  process.env.NODE_ENV ??= 'production'
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}

/**
 * Changes of the app's code appear in the open page. The server process restarts when its code or a manifest, which it reads once, changes.
 * Manifests are generated again when the code that they describe changes.
 */
async function runDev() {
  const { tsImport } = await import('tsx/esm/api')
  const { watchFolders } = await tsImport('../config-server/serving/watch.ts', import.meta.url)
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
        turn()
      })
    } else if (restart) {
      if (!child) return start()
      again = true
      child.kill('SIGTERM')
    }
  }
  const changed = (paths) => {
    for (const path of paths) {
      const file = relative(root, path).split(sep).join('/')
      const [room] = file.split('/')
      const isTest = /\.test\.tsx?$/.test(file)
      if (manifests.includes(file) || (/\.ts$/.test(file) && !isTest && serverRooms.includes(room))) due.restart = true
      // Styles and views count too: the manifest of a widget says which colours and sizes it uses.
      if (/\.(?:tsx?|css)$/.test(file) && !isTest && describedRooms.includes(room)) due.generate = true
    }
    turn()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      ending = true
      generator?.kill(signal)
      if (child) child.kill(signal)
      else process.exit(0)
    })
  }
  const rooms = [...new Set([...serverRooms, ...describedRooms])].map((room) => join(root, room))
  await watchFolders(rooms, changed, 200)
  start()
}
