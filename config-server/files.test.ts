import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFiles, sourcesOf } from '#config-server/files.ts'

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

test.each([
  ['locales/__proto__/home.json', '__proto__'],
  ['locales/constructor/home.json', 'constructor'],
  ['locales/prototype/home.json', 'prototype'],
  ['locales/en/__proto__.json', '__proto__'],
  ['locales/en/constructor.json', 'constructor'],
])('%s is refused, and changes no object', (file, name) => {
  const { texts, problems } = sourcesOf([{ file, text: '{"title":"Home"}' }])
  expect(problems).toEqual([
    { check: 'texts', severity: 'error', file, line: 1, pointer: '', message: `"${name}" may not be a name of a file or folder` },
  ])
  expect([Object.keys(texts), Object.keys(Object.prototype), 'home' in {}, Object.keys(Object)]).toEqual([[], [], false, []])
})
