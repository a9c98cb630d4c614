import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFolders } from '#config-server/serving/watch.ts'

let root = ''
let unwatch: (() => void) | undefined
const reported: string[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'watch-'))
  await writeFile(join(root, 'a.json'), '0')
  reported.length = 0
  unwatch = await watchFolders([root], (files) => void reported.push(...files))
})
afterEach(async () => {
  unwatch?.()
  await rm(root, { recursive: true, force: true })
})

test('a file that is replaced again and again is told each time', async () => {
  for (const turn of [1, 2, 3]) {
    reported.length = 0
    await writeFile(join(root, 'a.json.new'), String(turn))
    await rename(join(root, 'a.json.new'), join(root, 'a.json'))
    await vi.waitFor(() => expect(reported).toContain(join(root, 'a.json')), 5_000)
  }
})

test('files of a new folder are told, those that came with it and those that come later', async () => {
  await mkdir(join(root, 'b/c'), { recursive: true })
  await writeFile(join(root, 'b/c/first.ts'), '')
  await vi.waitFor(() => expect(reported).toContain(join(root, 'b/c/first.ts')), 5_000)
  await writeFile(join(root, 'b/c/second.ts'), '')
  await vi.waitFor(() => expect(reported).toContain(join(root, 'b/c/second.ts')), 5_000)
})
