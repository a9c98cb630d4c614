import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#tests/support/servers/product.ts'

/** The chunks of the built pages, and the chunks that come with each: those that it imports at its head, and theirs. */

const foldersOf = ['app', 'console'].map((name) => join(projectRoot, 'dist', name, 'assets'))
const textsIn = (folder: string) =>
  new Map(readdirSync(folder).flatMap((name) => (name.endsWith('.js') ? [[name, readFileSync(join(folder, name), 'utf8')] as const] : [])))

/** Names of the chunks that load before code of the chunk runs; `import()` loads later. */
function loadedWith(chunk: string, texts: ReadonlyMap<string, string>, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(chunk)) return seen
  seen.add(chunk)
  for (const [, name] of (texts.get(chunk) ?? '').matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    loadedWith(String(name), texts, seen)
  return seen
}

test('no form waits for the decoder of QR codes: a picture or the camera loads it', () => {
  const texts = textsIn(foldersOf[0] as string)
  const named = (name: string) => [...texts.keys()].filter((file) => file.startsWith(`${name}-`))
  const [fields, decoders] = [named('fields'), named('decode')]
  expect([fields.length, decoders.length]).toEqual([1, 1])
  const loaded = loadedWith(fields[0] as string, texts)
  expect(loaded.size).toBeGreaterThan(4)
  expect([...loaded]).not.toContain(decoders[0])
  // It is still in the build: the field that scans names it.
  expect(texts.get(fields[0] as string)).toContain(decoders[0])
})

test('no page has ajv, which makes code from text', () => {
  for (const folder of foldersOf) {
    const texts = [...textsIn(folder).values()]
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.filter((text) => /must NOT have additional properties|must match a schema in anyOf/.test(text))).toEqual([])
  }
})
