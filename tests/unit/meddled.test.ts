import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { parse } from '#language/documents/parse.ts'
import { prepare } from '#language/documents/prepare.ts'
import type { Manifest } from '#language/publish/release.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { isUsable } from '#renderer/config/release-check.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { meddled, slip } from '#tests/mutations/meddled.ts'
import { catalog, checkWith, documentsWith, files } from '#tests/mutations/product.ts'
import { sized } from '#tests/support/house/sizes.ts'

const registry = createRegistry([])
const names = [...files.keys()]

function placed({ file, line, pointer, message }: LintProblem): void {
  expect(file).not.toBe('')
  expect(pointer === '' || pointer.startsWith('/')).toBe(true)
  expect(line).toBeGreaterThan(0)
  expect(message.length).toBeGreaterThan(3)
}

describe('documents of the product with one mistake', () => {
  test('can be parsed, and refusals have a place', () => {
    const seen = { read: 0, refused: 0 }
    fc.assert(
      fc.property(fc.array(slip, { minLength: names.length, maxLength: names.length }), (slips) => {
        for (const [i, file] of names.entries()) {
          const { documents, problems } = parse([{ file, text: meddled(files.get(file) as string, slips[i] as (typeof slips)[0]) }])
          expect(documents.length + Math.min(1, problems.length)).toBe(1)
          for (const problem of problems) placed(problem)
          seen[documents.length > 0 ? 'read' : 'refused'] += 1
        }
      }),
      { numRuns: sized(3, 400), seed: 61 },
    )
    expect(seen.read).toBeGreaterThan(names.length)
    expect(seen.refused).toBeGreaterThan(names.length)
  })

  test('when they pass all checks, they can be prepared and shown', () => {
    const seen = { passed: 0, stopped: 0 }
    fc.assert(
      fc.property(fc.nat(names.length - 1), slip, (at, one) => {
        const file = names[at] as string
        const changes = { [file]: meddled(files.get(file) as string, one) }
        const problems = checkWith(changes)
        for (const problem of problems) placed(problem)
        const stopped = problems.some(({ severity }) => severity === 'error')
        seen[stopped ? 'stopped' : 'passed'] += 1
        if (stopped) return
        const prepared = prepare(documentsWith(changes), catalog)
        const bodies = prepared.map(({ key, canonical }) => [key, JSON.parse(canonical) as { kind: string }] as const)
        const manifest: Manifest = {
          release: 1,
          hash: 'h',
          locale: 'en',
          documents: Object.fromEntries(prepared.map(({ key, computed }) => [key, { ...computed, sha256: key }])),
          texts: {},
          inline: Object.fromEntries(bodies),
        }
        expect(isUsable(manifest, registry)).toBe(true)
        for (const [key, doc] of bodies) {
          expect(JSON.stringify(doc).length).toBeLessThanOrEqual(limits.documentBytesMax)
          if (doc.kind === 'screen') expect(compileScreen(doc as ScreenDoc, registry).doc.id).toBe(key.slice('screen/'.length))
        }
      }),
      { numRuns: sized(3, 200), seed: 62 },
    )
    expect(seen.stopped).toBeGreaterThan(0)
  })
})
