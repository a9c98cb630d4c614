/** `npm run audit`: installs development dependencies if they are missing, then runs the audit. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
ensureInstalled(root, { dev: true })
const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/audit.ts')], { stdio: 'inherit' })
process.exit(status ?? 1)
