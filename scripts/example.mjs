/** Installs what is missing, builds an app in examples/ when it is out of date, and serves it: `npm run example [-- name]`. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
ensureInstalled(root, { dev: true })
process.env.NODE_ENV ??= 'production'
const { register } = await import('tsx/esm/api')
register()
const [{ startExample }, { startOrExit }] = await Promise.all([import('./example.ts'), import('../server-kit/ops/start.ts')])
startOrExit(() => startExample(root, process.argv[2] ?? 'lending-library'))
