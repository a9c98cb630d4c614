import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of the project, seen from a source file or from the built server below it. @throws when there is none above */
export function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'schemas'))) return folder
    if (folder === dirname(folder)) throw new Error(`no project folder above ${from}`)
  }
}
