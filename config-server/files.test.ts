import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFiles } from '#config-server/files.ts'

test('a file that is deleted while the folder is read is not part of it, and the others are', async () => {
  const root = await mkdtemp(join(tmpdir(), 'files-'))
  try {
    await mkdir(join(root, 'schemas'))
    await writeFile(join(root, 'schemas/first.json'), '{}')
    await writeFile(join(root, 'schemas/second.json'), '\uFEFF{}')
    const found = await readFiles(root, async (path) => {
      // Between being listed and being read.
      if (path === join(root, 'schemas/first.json')) await rm(path)
      return readFile(path, 'utf8')
    })
    expect(found).toEqual([{ file: 'schemas/second.json', text: '{}' }])
  } finally {
    await rm(root, { recursive: true })
  }
})
