import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

test('a file that is deleted while the folder is read is not part of it, and the others are', async () => {
  vi.resetModules()
  vi.doMock('node:fs/promises', async (original) => {
    const actual = await original<typeof import('node:fs/promises')>()
    return {
      ...actual,
      /** A file is deleted between being listed and being read. */
      async readFile(path: string, encoding: BufferEncoding) {
        if (path.endsWith('gone.json')) await actual.rm(path)
        return actual.readFile(path, encoding)
      },
    }
  })
  const { readFiles } = await import('#config-server/files.ts')
  const root = await mkdtemp(join(tmpdir(), 'files-'))
  try {
    await mkdir(join(root, 'schemas'))
    await writeFile(join(root, 'schemas/gone.json'), '{}')
    await writeFile(join(root, 'schemas/kept.json'), '\uFEFF{}')
    expect(await readFiles(root)).toEqual([{ file: 'schemas/kept.json', text: '{}' }])
  } finally {
    vi.doUnmock('node:fs/promises')
    vi.resetModules()
    await rm(root, { recursive: true })
  }
})
