import { describe, expect, test } from 'vitest'
import type { DocumentEntry, DocumentKey, Manifest } from '#language/publish/release.ts'
import { createPinned, pinLimits } from '#renderer/config/pinned-documents.ts'

const key: DocumentKey = 'screen/a'
const entry = (sha256: string): DocumentEntry => ({ sha256, uses: [], areas: [] })
const manifest = (sha256: string): Manifest => ({
  release: 1,
  hash: 'h',
  locale: 'en',
  documents: { [key]: entry(sha256), 'screen/b': entry('b') },
  texts: {},
  inline: {},
})

/** A device: what it keeps, what it finds, and pages that are opened on it one after the other. */
function device(earlier: string[] = ['v2', 'v1']) {
  let text: string | null = null
  let nowMs = 0
  const asked: string[] = []
  let reachable = true
  const page = () => {
    const pinned = createPinned({
      text,
      write: (next) => {
        text = next
      },
      find: async (_key, broken) => {
        asked.push(broken.join(','))
        if (!reachable) throw new Error('nobody answers')
        const found = earlier.find((sha) => !broken.includes(sha))
        return found === undefined ? undefined : entry(found)
      },
    })
    const struck = (key: DocumentKey, sha256: string, gone: 'node' | 'screen' | 'lost') => pinned.struck(key, sha256, gone, nowMs)
    return { ...pinned, struck }
  }
  return {
    page,
    asked,
    pass: (ms: number) => void (nowMs += ms),
    kept: () => text,
    keep: (next: string | null) => void (text = next),
    reach: (answers: boolean) => void (reachable = answers),
  }
}
const shown = (pinned: Pick<ReturnType<typeof createPinned>, 'apply'>, sha256: string) =>
  pinned.apply(manifest(sha256)).documents[key]?.sha256

describe('a document that throws', () => {
  test('once is shown again, twice is put back, on this page and on the next', async () => {
    const { page, pass } = device()
    const first = page()
    expect(await first.struck(key, 'v3', 'node')).toBe('counted')
    expect([shown(first, 'v3'), first.suspect('v3'), first.suspect('b')]).toEqual(['v3', true, false])
    pass(1_000)
    expect(await first.struck(key, 'v3', 'node')).toBe('pinned')
    expect(shown(first, 'v3')).toBe('v2')
    expect(shown(page(), 'v3')).toBe('v2')
  })
  test('many nodes in one draw are one strike', async () => {
    const { page, pass } = device()
    const pinned = page()
    for (let i = 0; i < 10; i++) {
      expect(await pinned.struck(key, 'v3', 'node')).toBe('counted')
      pass(20)
    }
    expect(shown(pinned, 'v3')).toBe('v3')
  })
  test('while nobody can be asked for an earlier one is asked for again the next time', async () => {
    const { page, pass, reach, asked } = device()
    const pinned = page()
    await pinned.struck(key, 'v3', 'node')
    reach(false)
    pass(1_000)
    expect(await pinned.struck(key, 'v3', 'node')).toBe('counted')
    expect(shown(pinned, 'v3')).toBe('v3')
    reach(true)
    pass(1_000)
    expect(await pinned.struck(key, 'v3', 'node')).toBe('pinned')
    expect([shown(pinned, 'v3'), asked]).toEqual(['v2', ['v3', 'v3']])
  })
  test('and is shown all the same is asked to be put back once more', async () => {
    const { page, pass, asked } = device()
    const pinned = page()
    for (const became of ['counted', 'pinned', 'pinned']) {
      expect(await pinned.struck(key, 'v3', 'node')).toBe(became)
      pass(1_000)
    }
    expect(asked).toEqual(['v3'])
  })
  test('strikes are remembered from page to page', async () => {
    const { page } = device()
    expect(await page().struck(key, 'v3', 'node')).toBe('counted')
    expect(await page().struck(key, 'v3', 'node')).toBe('pinned')
  })
  test('as a whole screen is put back at once, for good only the second time', async () => {
    const { page } = device()
    const first = page()
    expect(await first.struck(key, 'v3', 'screen')).toBe('pinned')
    expect([shown(first, 'v3'), shown(page(), 'v3')]).toEqual(['v2', 'v3'])
    const second = page()
    expect(await second.struck(key, 'v3', 'screen')).toBe('pinned')
    expect([shown(second, 'v3'), shown(page(), 'v3')]).toEqual(['v2', 'v2'])
  })
  test('is not blamed when it is only lost', async () => {
    const { page, pass, kept } = device()
    const pinned = page()
    for (let i = 0; i < 3; i++) {
      await pinned.struck(key, 'v3', 'lost')
      pass(1_000)
    }
    expect([shown(pinned, 'v3'), pinned.suspect('v3'), kept(), shown(page(), 'v3')]).toEqual(['v2', false, null, 'v3'])
  })
  test('goes back further when the earlier one throws too, and is let be when all do', async () => {
    const { page, pass, asked } = device()
    const pinned = page()
    const twice = async (sha: string) => {
      await pinned.struck(key, sha, 'node')
      pass(1_000)
      const last = await pinned.struck(key, sha, 'node')
      pass(1_000)
      return last
    }
    expect(await twice('v3')).toBe('pinned')
    expect(await twice('v2')).toBe('pinned')
    expect(shown(pinned, 'v3')).toBe('v1')
    expect(await twice('v1')).toBe('pinned')
    expect(shown(pinned, 'v3')).toBe('v3')
    expect(await twice('v3')).toBe('hopeless')
    expect(asked).toEqual(['v3', 'v3,v2', 'v3,v2,v1'])
  })
  test('stays where nothing else is to be had', async () => {
    const { page, pass } = device([])
    const pinned = page()
    await pinned.struck(key, 'v3', 'node')
    pass(1_000)
    expect(await pinned.struck(key, 'v3', 'node')).toBe('hopeless')
    expect(shown(pinned, 'v3')).toBe('v3')
  })
})

describe('a pin', () => {
  async function broken() {
    const all = device()
    const pinned = all.page()
    await pinned.struck(key, 'v3', 'node')
    all.pass(1_000)
    await pinned.struck(key, 'v3', 'node')
    return { ...all, pinned }
  }
  test('is released when a newer revision comes, and forgotten', async () => {
    const { pinned, kept } = await broken()
    expect(shown(pinned, 'v4')).toBe('v4')
    expect(kept()).toBeNull()
    expect(shown(pinned, 'v3')).toBe('v3')
  })
  test('is kept over a set in which the earlier one stands by itself', async () => {
    const { pinned } = await broken()
    expect([shown(pinned, 'v2'), shown(pinned, 'v3')]).toEqual(['v2', 'v2'])
  })
  test('leaves the manifest as it is where it has nothing to say', async () => {
    const { page } = device()
    const given = manifest('v3')
    expect(page().apply(given)).toBe(given)
  })
  test('is one of few', async () => {
    const { page, pass, kept } = device(['good'])
    const pinned = page()
    for (let i = 0; i < pinLimits.pins + 5; i++) {
      await pinned.struck(`screen/${i}`, `bad${i}`, 'screen')
      pass(1_000)
      await pinned.struck(`screen/${i}`, `bad${i}`, 'screen')
      await pinned.struck(`screen/x${i}`, `once${i}`, 'node')
    }
    const { pins: list, strikes } = JSON.parse(kept() ?? '') as { pins: unknown[]; strikes: unknown[] }
    expect([list.length <= pinLimits.pins, strikes.length]).toEqual([true, pinLimits.strikes])
  })
  test.for([
    '',
    '{',
    'null',
    '[]',
    '{"strikes":{},"pins":[]}',
    '{"strikes":[["a","b"]],"pins":[]}',
    '{"strikes":[],"pins":[["screen/a",{"broken":["v3"]}]]}',
  ])('kept as %j is none', (text) => {
    const { page, keep } = device()
    keep(text)
    expect(shown(page(), 'v3')).toBe('v3')
  })
})
