/**
 * Installs what is missing, builds what is out of date, and runs the server in this process. `--build` does no more than install and build.
 * `--dev` serves the sources instead: changes of code and documents appear in the open page.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)

// As `engines` of package.json says.
const [major, minor] = process.versions.node.split('.').map(Number)
if (!(major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19))) {
  console.error(`Tessera needs Node 24 or newer, 22.12 or newer of 22, or 20.19 or newer of 20; this is ${process.versions.node}.`)
  process.exit(1)
}

if (process.argv.includes('--dev')) {
  ensureInstalled(root, { dev: true })
  const { runDev } = await import('./dev.mjs')
  await runDev(root)
} else if (process.argv.includes('--build')) {
  if (!(await ensureBuilt(root))) console.log('dist/ holds a build of these sources.')
} else {
  await ensureBuilt(root)
  ensureInstalled(root, { dev: false })
  process.env.NODE_ENV ??= 'production'
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}
