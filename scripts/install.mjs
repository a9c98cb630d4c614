import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packagesOf = (file) => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).packages ?? {}) : {})

/**
 * Packages of the lockfile that node_modules lacks or has in another version.
 * @param {string} root folder of the project
 * @param {{dev: boolean}} options dev: include packages for tests and development
 */
export function missingPackages(root, { dev }) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, row]) => path !== '' && !row.optional && !row.link && (dev || (!row.dev && !row.devOptional)))
    .filter(([path, row]) => installed[path]?.version !== row.version || !existsSync(join(root, path)))
    .map(([path]) => path.replace(/^node_modules\//, ''))
}

/** Runs `npm ci` when something is missing; ends the process when it fails. Install scripts of packages never run. */
export function ensureInstalled(root, { dev }) {
  const missing = missingPackages(root, { dev })
  if (missing.length === 0) return
  console.log(`Installing: ${missing.length} ${missing.length === 1 ? 'package is' : 'packages are'} missing or of another version.`)
  const modules = join(root, 'node_modules')
  try {
    accessSync(existsSync(modules) ? modules : root, constants.W_OK)
  } catch (error) {
    console.error(`${modules} cannot be written by this user (${error.code}). Run npm ci as the owner of ${root}, then start again.`)
    process.exit(1)
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...(dev ? ['--include=dev'] : ['--omit=dev'])]
  const done = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (done.status !== 0) {
    console.error(`npm ${args.join(' ')} failed${done.error ? `: ${done.error.message}` : ''}.`)
    process.exit(done.status || 1)
  }
}
