/**
 * Installs what is missing, builds what is out of date, and runs the server in this process. `--dev` serves the sources instead: changes of
 * code and documents appear in the open page.
 */
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
  const { runDev } = await import('./dev.mjs')
  await runDev(root)
} else {
  ensureInstalled(root, { dev: false })
  await ensureBuilt(root)
  process.env.NODE_ENV ??= 'production'
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}
