import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createArchive } from '#config-server/archive.store.ts'
import { capsOf } from '#config-server/caps.rules.ts'
import { makeRelease, type Release, revisionOf, textRevisions } from '#config-server/release.rules.ts'
import { canonical } from '#language/canonical.ts'
import type { AnyDoc } from '#language/documents.ts'
import { createLog } from '#server-kit/log.ts'

const log = createLog('silent')
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-archive-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function releaseOf(number: number, words: string): Release {
  const doc = { kind: 'screen', id: 'a', words } as unknown as AnyDoc
  const computed = { requires: { widgets: ['text@1'], operators: [], steps: [], format: 1 }, uses: ['prompt/b'], areas: ['home'] }
  const same = revisionOf({ key: 'screen/same', doc, canonical: canonical({ kind: 'screen' }), computed })
  return makeRelease(
    number,
    [revisionOf({ key: 'screen/a', doc, canonical: canonical(doc), computed }), same],
    textRevisions({ en: { home: { title: words } } }),
  )
}
const files = async (name: string) => (await readdir(join(folder, name))).sort()

describe('releases', () => {
  test('come back as they were, the newest first', async () => {
    const [one, two] = [releaseOf(1, 'one'), releaseOf(2, 'two')]
    const archive = createArchive(folder, log)
    await archive.keep(one, [one])
    await archive.keep(two, [two, one])
    const again = createArchive(folder, log)
    expect(await again.releases()).toEqual([two, one])
    expect(await again.lastNumber()).toBe(2)
  })
  test('an empty folder has none', async () => {
    const archive = createArchive(join(folder, 'new'), log)
    expect([await archive.releases(), await archive.lastNumber()]).toEqual([[], 0])
  })
  test('what no kept release has is removed; what one has stays', async () => {
    const archive = createArchive(folder, log)
    const [one, two] = [releaseOf(1, 'one'), releaseOf(2, 'two')]
    await archive.keep(one, [one])
    await archive.keep(two, [two])
    expect(await files('releases')).toEqual(['00000002.json'])
    const named = [...two.documents.values(), ...two.texts.get('en')!.values()].map(({ sha256 }) => `${sha256}.json`)
    expect(await files('revisions')).toEqual(named.sort())
  })

  const damages: [string, (one: Release) => [file: string, text: string]][] = [
    ['a release that is no JSON', () => ['releases/00000002.json', '{"release": 2']],
    ['a release of another hash', () => ['releases/00000002.json', JSON.stringify({ release: 2, hash: 'x', documents: {}, texts: {} })]],
    ['a revision that was changed', (two) => [`revisions/${two.documents.get('screen/a')!.sha256}.json`, '{}']],
  ]
  test.for(damages)('%s is left out, the others stay, and its number is not given again', async ([, damage]) => {
    const archive = createArchive(folder, log)
    const [one, two] = [releaseOf(1, 'one'), releaseOf(2, 'two')]
    await archive.keep(one, [one])
    await archive.keep(two, [two, one])
    const [file, text] = damage(two)
    await writeFile(join(folder, file), text)
    const again = createArchive(folder, log)
    expect(await again.releases()).toEqual([one])
    expect(await again.lastNumber()).toBe(2)
  })
  test('a folder that cannot be written is no reason to end', async () => {
    await writeFile(join(folder, 'file'), '')
    const archive = createArchive(join(folder, 'file'), log)
    const one = releaseOf(1, 'one')
    await expect(archive.keep(one, [one])).resolves.toBeUndefined()
    await expect(archive.keepBuilds({ own: [], registered: [] })).resolves.toBeUndefined()
  })
})

describe('builds', () => {
  const build = capsOf({ format: 1, widgets: ['text@1'] })
  test('come back', async () => {
    await createArchive(folder, log).keepBuilds({ own: [build], registered: [] })
    expect(await createArchive(folder, log).builds()).toEqual({ own: [build], registered: [] })
  })
  test.for([
    ['no file', undefined],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a build under a wrong name', JSON.stringify({ own: [{ ...build, hash: 'x' }], registered: [null] })],
  ] as const)('%s is none', async ([, text]) => {
    if (text !== undefined) await writeFile(join(folder, 'builds.json'), text)
    expect(await createArchive(folder, log).builds()).toEqual({ own: [], registered: [] })
  })
})
