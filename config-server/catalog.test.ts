import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCheckerHash, readOwnCaps } from '#config-server/catalog.ts'
import { capsOfBuild } from '#config-server/serving/caps.rules.ts'

const built = [{ type: 'text', major: 1, props: {} }]
const sources = [...built, { type: 'meter', major: 1, props: {} }]
const catalog = { widgets: sources, icons: [], calls: [] } as never
let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'caps-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('without a build it is what the sources can show', async () => {
  expect(await readOwnCaps(root, catalog, false)).toEqual(capsOfBuild({ widgets: sources }))
})
test('an older build counts where it is served, and not where the sources are', async () => {
  await mkdir(join(root, 'dist'))
  await writeFile(join(root, 'dist/caps.json'), JSON.stringify(capsOfBuild({ widgets: built })))
  expect((await readOwnCaps(root, catalog, false)).widgets).toEqual(['text@1'])
  expect((await readOwnCaps(root, catalog, true)).widgets).toEqual(['meter@1', 'text@1'])
})

test('what checks documents is another with other code, libraries or names, and unknown where the sources run', async () => {
  const running = join(root, 'dist/server/main.js')
  const hash = (names = catalog) => readCheckerHash(root, names, running)
  await mkdir(join(root, 'dist/server/assets'), { recursive: true })
  await writeFile(running, 'check()')
  const first = await hash()
  expect([first, await hash()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), first])
  const others = [await hash({ widgets: built, icons: [], calls: [] } as never)]
  await writeFile(join(root, 'dist/server/assets/rules.js'), 'rules()')
  others.push(await hash())
  await writeFile(join(root, 'package-lock.json'), '{}')
  others.push(await hash())
  expect(new Set([first, ...others]).size).toBe(4)
  expect(await readCheckerHash(root, catalog, join(root, 'main.ts'))).toBe(undefined)
})
