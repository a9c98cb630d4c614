import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureInstalled } from './install.mjs'

/**
 * Everything that the build contains. The server reads documents and texts at run time too; the build contains a copy for a start without
 * it.
 */
const sources = [
  'api-server',
  'app',
  'config-server',
  'console',
  'contract',
  'flows',
  'language',
  'locales',
  'renderer',
  'schemas',
  'server-kit',
  'widgets',
  'public',
  'scripts/app-build.ts',
  'scripts/back-office.ts',
  'scripts/early.ts',
  'scripts/offline.ts',
  'index.html',
  'main.ts',
  'vite.config.ts',
  'vite.console.config.ts',
  'package.json',
  'package-lock.json',
]

/** Hash of the content of everything that the build reads. @param read files and folders relative to the project */
export function sourcesHash(root, read = sources) {
  const hash = createHash('sha256')
  for (const source of read) {
    const path = join(root, source)
    if (!existsSync(path)) continue
    const files = statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$|\.md$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
    for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

const builds = [
  ['build', '--logLevel', 'warn'],
  ['build', '--logLevel', 'warn', '-c', 'vite.console.config.ts'],
  ['build', '--logLevel', 'warn', '--ssr', 'main.ts', '--outDir', 'dist/server'],
]

/** @returns the exit code of one build */
function build(root, args) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [vite, ...args], { cwd: root, stdio: 'inherit', env })
  return new Promise((done, fail) => child.once('error', fail).once('exit', (code) => done(code ?? 1)))
}

/** Pause between two looks at a build that another process makes. */
const lookMs = 200

/**
 * Makes what is built in a folder, unless it is there and has the same sources. Processes that want it at the same time wait for one of them.
 * Ends the process when the folder cannot be written.
 * @param {string} root folder of the project
 * @param {string} built folder of the build; it keeps the stamp and the lock
 * @param {{ stamp: string, isWhole: () => boolean, make: () => Promise<void> }} what `stamp`: hash of the sources; `isWhole`: whether
 *   nothing of the build is missing; `make` builds
 * @returns {Promise<boolean>} whether this process built
 */
export async function makeOnce(root, built, { stamp, isWhole, make }) {
  const stampFile = join(built, 'stamp')
  const isFresh = () => isWhole() && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (isFresh()) return false
  mustBeWritable(root, built)
  ensureInstalled(root, { dev: true })
  const { tsImport } = await import('tsx/esm/api')
  const { lockFolder } = await tsImport('../server-kit/files/lock.ts', import.meta.url)
  let lock
  while (!lock) {
    try {
      lock = lockFolder(built)
    } catch (error) {
      if (error.name !== 'StartRefused') throw error
      await wait(lookMs)
    }
  }
  try {
    if (isFresh()) return false
    // A build that is ended half-way has no stamp.
    rmSync(stampFile, { force: true })
    await make()
    writeFileSync(stampFile, stamp)
    return true
  } finally {
    lock.release()
  }
}

function mustBeWritable(root, built) {
  const probe = join(built, `probe.${process.pid}`)
  try {
    mkdirSync(built, { recursive: true })
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const where = relative(root, built)
    console.error(
      `${where}/ holds no build of these sources, and this user cannot write there (${error.code}). Run npm run build as the owner of ${root}, then start again.`,
    )
    process.exit(1)
  }
}

const parts = ['app/index.html', 'console/index.html', 'server/main.js', 'server/picture.child.js']

/**
 * Builds app, console and server side by side, unless the last build has the same sources; ends the process when one of them fails.
 * @param {string} root folder of the project
 * @returns {Promise<boolean>} whether this process built
 */
export function ensureBuilt(root) {
  const dist = join(root, 'dist')
  return makeOnce(root, dist, {
    stamp: sourcesHash(root),
    isWhole: () => parts.every((file) => existsSync(join(dist, file))),
    async make() {
      console.log('Building.')
      const codes = await Promise.all(builds.map((args) => build(root, args)))
      const failed = codes.findIndex((code) => code !== 0)
      if (failed < 0) return
      console.error(`vite ${builds[failed].join(' ')} failed.`)
      process.exit(codes[failed])
    },
  })
}
