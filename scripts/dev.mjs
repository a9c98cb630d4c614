import { spawn } from 'node:child_process'
import { join, relative, sep } from 'node:path'

const serverRooms = ['api-server', 'config-server', 'server-kit', 'contract', 'language']
const describedRooms = ['contract', 'widgets']
const manifests = [
  'contract/manifest.json',
  'contract/functions/manifest.json',
  'contract/topics.json',
  'contract/symbols.json',
  'widgets/manifest.json',
]

/**
 * Returns the work that a changed file causes: the server process restarts when its code or a manifest, which it reads once, changes.
 * Manifests are generated again when the code that they describe changes.
 * @param {string} file path relative to the root, with slashes
 * @returns {{ generate: boolean, restart: boolean }}
 */
export function workOf(file) {
  const [room] = file.split('/')
  const isTest = /\.test\.tsx?$/.test(file)
  return {
    // Styles and views count too: the manifest of a widget says which colours and sizes it uses.
    generate: /\.(?:tsx?|css)$/.test(file) && !isTest && describedRooms.includes(room),
    restart: manifests.includes(file) || (/\.ts$/.test(file) && !isTest && serverRooms.includes(room)),
  }
}

/**
 * Serves the sources: changes of the app's code appear in the open page, and other changes get the work that `workOf` says.
 * @param {string} root folder of the project
 */
export async function runDev(root) {
  const { tsImport } = await import('tsx/esm/api')
  const { watchFolders } = await tsImport('../config-server/serving/watch.ts', import.meta.url)
  let child
  let generator
  let ending = false
  let again = false
  /**
   * Work for the next run. Manifests of earlier edits are generated at the start, beside the server: it restarts only if a manifest
   * changes.
   */
  let due = { generate: true, restart: false }
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
      const work = workOf(relative(root, path).split(sep).join('/'))
      due = { generate: due.generate || work.generate, restart: due.restart || work.restart }
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
  turn()
}
