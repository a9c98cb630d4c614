import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of the project, seen from a source file or from the built server below it. @throws when there is none above */
export function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'schemas'))) return folder
    if (folder === dirname(folder)) throw new Error(`no project folder above ${from}`)
  }
}

/** Version of the product in package.json: `0.8.0`. */
export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

/** Beginning of the stamp of the build, enough to distinguish two builds; undefined without a stamp. */
export function buildOf(root: string): string | undefined {
  const stamp = join(root, 'dist/stamp')
  return existsSync(stamp) ? readFileSync(stamp, 'utf8').slice(0, 12) : undefined
}
