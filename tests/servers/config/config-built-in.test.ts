import { expect, test } from 'vitest'
import { sha256 } from '#config-server/release.rules.ts'
import { builtInFiles } from '#config-server/serving/built-in.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { Manifest } from '#language/publish/release.ts'
import { createConfigRoot } from '#tests/support/servers/config-root.ts'

test('the built-in set is complete: every document once, and every text in each language', async () => {
  const folder = await createConfigRoot()
  const files = await builtInFiles(folder.root)
  await folder.remove()
  expect([...files.keys()]).toEqual(['documents.json', 'en.json', 'fr.json', 'hk.json'])
  const documents = JSON.parse(files.get('documents.json')!) as Manifest
  expect(documents.release).toBe(0)
  expect(Object.keys(documents.documents)).toContain('screen/other')
  for (const { sha256: sha } of Object.values(documents.documents)) expect(sha256(canonical(documents.inline[sha]))).toBe(sha)
  for (const language of ['en', 'fr', 'hk']) {
    const words = JSON.parse(files.get(`${language}.json`)!) as Manifest
    expect(words.locale).toBe(language)
    for (const sha of Object.values(words.texts)) expect(sha256(canonical(words.inline[sha]))).toBe(sha)
    expect(Object.keys(words.texts)).toContain('other')
  }
})

test('documents with errors stop the build and are reported with their place', async () => {
  const folder = await createConfigRoot({
    'schemas/screens/other.json': { kind: 'screen', id: 'other', format: 1, body: [{ id: 'a', widget: 'tetx' }] },
  })
  await expect(builtInFiles(folder.root)).rejects.toThrow(/other\.json:\d+ .*tetx/)
  await folder.remove()
})
