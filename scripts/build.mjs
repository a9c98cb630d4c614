import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  'scripts/early.ts',
  'scripts/offline.ts',
  'index.html',
  'main.ts',
  'vite.config.ts',
  'vite.console.config.ts',
  'package.json',
  'package-lock.json',
]
const stampFile = 'dist/stamp'

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

/**
 * Builds app, console and server side by side, unless the last build has the same sources; ends the process when one of them fails.
 * @param {string} root folder of the project
 */
export async function ensureBuilt(root) {
  const stamp = sourcesHash(root)
  const stampPath = join(root, stampFile)
  const whole = ['dist/app/index.html', 'dist/console/index.html', 'dist/server/main.js', 'dist/server/picture.child.js'].every((file) =>
    existsSync(join(root, file)),
  )
  if (whole && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return
  console.log('Building.')
  const codes = await Promise.all(builds.map((args) => build(root, args)))
  const failed = codes.findIndex((code) => code !== 0)
  if (failed >= 0) {
    console.error(`vite ${builds[failed].join(' ')} failed.`)
    process.exit(codes[failed])
  }
  writeFileSync(stampPath, stamp)
}
