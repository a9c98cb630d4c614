import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diffSets } from '#language/edit/diff.ts'
import type { Catalog } from '#language/types/catalog.ts'

const root = join(import.meta.dirname, '../..')
const catalog: Catalog = { widgets: [], functions: [], topics: [], calls: [], icons: [], symbols: [] }
const files = ['schemas', 'locales'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && !name.startsWith('meta'))
    .map((name) => `${folder}/${name}`),
)

test('any document or text file may be added or removed', () => {
  expect(files.length).toBeGreaterThan(150)
  for (const path of files) {
    const one = { [path]: readFileSync(join(root, path), 'utf8') }
    expect(diffSets(one, {}, catalog), path).toMatchObject([{ path, state: 'removed' }])
    expect(diffSets({}, one, catalog), path).toMatchObject([{ path, state: 'added' }])
  }
})
