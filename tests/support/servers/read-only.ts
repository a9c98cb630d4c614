import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { stepDown } from '#tests/support/databases/postgres.ts'
import { projectRoot, type ReadOnlyProduct } from '#tests/support/servers/product.ts'

/** Parts of the project that a start does not read, and builds of other apps, which other tests make meanwhile. */
const leftOut = new Set(['node_modules', '.git', 'data', 'tests', 'bench', 'docs', 'dist/examples', 'dist/tessera.lock'])

/** Whether everybody may pass through all folders above a path. */
const isOpen = (path: string): boolean => path === dirname(path) || ((statSync(path).mode & 0o001) !== 0 && isOpen(dirname(path)))

/** Changes of the packages themselves show in their folder. */
function stateOf(root: string): Map<string, string> {
  const entries = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'node_modules'
      ? [entry, ...readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })]
      : [entry],
  )
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { mtimeMs, size } = lstatSync(path)
      return [relative(root, path), `${mtimeMs} ${size}`]
    }),
  )
}

/** A copy of the built product, whose user is another one than root's where the tests run as root. */
export function copyReadOnly(): ReadOnlyProduct {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-read-only-'))
  const [root, own] = [join(folder, 'product'), join(folder, 'own')]
  cpSync(projectRoot, root, { recursive: true, filter: (path) => !leftOut.has(relative(projectRoot, path)) })
  mkdirSync(own)
  const modules = realpathSync(join(projectRoot, 'node_modules'))
  const isReadable = (statSync(join(modules, 'express/package.json')).mode & 0o004) !== 0
  const lower = stepDown()
  const account = typeof lower === 'object' && isReadable ? lower : undefined
  const linked = join(root, 'node_modules')
  if (account) {
    // As an administrator installs it: another user reads it. Tests build with the permissions of a server's data.
    execFileSync('chmod', ['-R', 'a+rX', root])
    chmodSync(folder, 0o755)
    chownSync(own, account.uid, account.gid)
    // Hard links where the user cannot reach the folder; they leave owner and permissions of the files as they are.
    if (isOpen(modules)) symlinkSync(modules, linked)
    else execFileSync('cp', ['-al', modules, linked])
  } else {
    symlinkSync(modules, linked)
    execFileSync('chmod', ['-R', 'a-w', root])
  }
  const before = stateOf(root)
  return {
    root,
    own,
    account,
    isKeptOut: account !== undefined || lower === undefined,
    written() {
      const after = stateOf(root)
      const paths = new Set([...before.keys(), ...after.keys()])
      return [...paths].filter((path) => before.get(path) !== after.get(path))
    },
    remove() {
      if (!account) execFileSync('chmod', ['-R', 'u+w', root])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
