import { describe, expect, test } from 'vitest'
import { makeRelease, type Release } from '#config-server/release.rules.ts'
import type { BuildStore } from '#config-server/serving/builds.ts'
import { type Caps, capsOf, type KnownBuild } from '#config-server/serving/caps.rules.ts'
import { createRevisionStore } from '#config-server/serving/revision.store.ts'
import type { Shown } from '#config-server/shown.ts'
import type { Rollout } from '#language/publish/publishing.ts'
import type { Manifest } from '#language/publish/release.ts'
import { deviceOf, numbered, revision } from '#tests/support/servers/serving-stage.ts'

const own = capsOf({ format: 1, widgets: ['text@1', 'list@1', 'chart@1'] })
const to = (percent: number, segment: Rollout['segment'] = {}): Rollout => ({ percent, segment })
const segmentOf = (n: number, who = '0.0') => `${who}.${deviceOf(n)}`
const devices = Array.from({ length: 400 }, (_, n) => n)

async function stage(shown?: Shown, buildStore?: BuildStore, clock = { now: 1_000_000 }) {
  const store = createRevisionStore({ security: [], own, now: () => clock.now, buildStore })
  await store.open()
  if (shown) await store.show(shown)
  const ask = (n: number, caps?: string, locale = 'en', who?: string): Manifest =>
    JSON.parse(store.manifest(locale, caps, segmentOf(n, who))!.answers.identity.body.toString()) as Manifest
  const numberFor = (n: number) => ask(n).release
  return { store, ask, numberFor, clock }
}
const [one, two, three] = [numbered(1), numbered(2), numbered(3)]

describe('who gets the candidate', () => {
  test('about as many as were asked for, each the same every time, and they stay in while it grows', async () => {
    const { store, numberFor } = await stage()
    let before: number[] = []
    for (const percent of [1, 5, 20, 60, 100]) {
      await store.show({ stable: one, candidate: { release: two, rollout: to(percent) }, history: [one] })
      const now = devices.filter((n) => numberFor(n) === 2)
      expect(now).toEqual(devices.filter((n) => numberFor(n) === 2))
      expect(before.filter((n) => !now.includes(n))).toEqual([])
      expect(Math.abs(now.length - 4 * percent)).toBeLessThanOrEqual(4 * Math.sqrt(4 * percent))
      before = now
    }
    expect(before).toHaveLength(devices.length)
  })
  test.for(['visitor', '', '0.0', undefined])('nobody whose segment is %j', async (segment) => {
    const { store } = await stage({ stable: one, candidate: { release: two, rollout: to(100) }, history: [] })
    expect(JSON.parse(store.manifest('en', undefined, segment)!.answers.identity.body.toString()).release).toBe(1)
  })
  test('only those of the segment', async () => {
    const { store, ask } = await stage()
    const rows: [Rollout['segment'], who: string, caps: string | undefined, release: number][] = [
      [{ loggedIn: true }, '1.0', undefined, 2],
      [{ loggedIn: true }, '0.0', undefined, 1],
      [{ kyc: 2 }, '1.2', undefined, 2],
      [{ kyc: 2 }, '1.1', undefined, 1],
      [{ languages: ['en'] }, '0.0', undefined, 2],
      [{ languages: ['fr'] }, '0.0', undefined, 1],
      [{ caps: [own.hash] }, '0.0', own.hash, 2],
      [{ caps: [own.hash] }, '0.0', undefined, 1],
    ]
    for (const [segment, who, caps, release] of rows) {
      await store.show({ stable: one, candidate: { release: two, rollout: to(100, segment) }, history: [] })
      expect([segment, who, ask(1, caps, 'en', who).release]).toEqual([segment, who, release])
    }
  })
})

describe('what clients are told', () => {
  test('the newest release that any may get, and nothing when nothing is another', async () => {
    const { store } = await stage()
    const event = ({ release, hash }: Release) => ({ release, hash })
    const steps: [string, Shown, { release: number; hash: string } | undefined][] = [
      ['the first', { stable: one, history: [] }, event(one)],
      ['the same again', { stable: one, history: [one] }, undefined],
      ['a rollout', { stable: one, candidate: { release: two, rollout: to(5) }, history: [one] }, event(two)],
      ['wider', { stable: one, candidate: { release: two, rollout: to(50) }, history: [one] }, event(two)],
      ['the same again', { stable: one, candidate: { release: two, rollout: to(50) }, history: [one] }, undefined],
      ['stopped', { stable: one, history: [two, one], withdrawn: [2] }, event(one)],
      ['another', { stable: one, candidate: { release: three, rollout: to(50) }, history: [two, one], withdrawn: [2] }, event(three)],
      ['complete', { stable: three, history: [two, one], withdrawn: [2] }, event(three)],
    ]
    for (const [what, shown, wanted] of steps) expect([what, await store.show(shown)]).toEqual([what, wanted])
  })
  test('tags of both differ, and a client keeps its own', async () => {
    const { store } = await stage({ stable: one, candidate: { release: two, rollout: to(50) }, history: [] })
    const tags = new Set(devices.map((n) => store.manifest('en', undefined, segmentOf(n))!.etag))
    expect([...tags].sort()).toEqual([`"1-${one.hash}"`, `"2-${two.hash}"`])
  })
})

test('answers about a release are made once, whatever becomes of it', async () => {
  const { store } = await stage({ stable: one, candidate: { release: two, rollout: to(100) }, history: [] })
  const before = store.manifest('en', undefined, segmentOf(1))
  await store.show({ stable: one, candidate: { release: two, rollout: to(100, { loggedIn: false }) }, history: [] })
  expect(store.manifest('en', undefined, segmentOf(1))).toBe(before)
  await store.show({ stable: two, history: [one] })
  expect(store.manifest('en', undefined, segmentOf(1))).toBe(before)
})

describe('documents', () => {
  const shas = (release: Release) => [...release.documents.values()].map(({ sha256 }) => sha256)
  test('of a candidate are there as long as somebody may hold it, also after it was stopped', async () => {
    const { store } = await stage({ stable: one, candidate: { release: two, rollout: to(5) }, history: [one] })
    await store.show({ stable: one, history: [one] })
    for (const sha of [...shas(one), ...shas(two)]) expect(store.document(sha)).toBeDefined()
    await store.show({ stable: three, history: [two, one], withdrawn: [2] })
    for (const sha of [...shas(one), ...shas(two), ...shas(three)]) expect(store.document(sha)).toBeDefined()
  })
  test('of releases that nobody holds any more are forgotten', async () => {
    const { store } = await stage({ stable: one, history: [] })
    await store.show({ stable: two, history: [] })
    await store.show({ stable: three, history: [] })
    expect(shas(one).map((sha) => store.document(sha))).toEqual(shas(one).map(() => undefined))
  })
})

describe('older builds', () => {
  const screen = (v: number, widgets: string[]) => makeRelease(v, [revision('screen/a', { v }, widgets)], new Map())
  const releases = [screen(1, ['text@1']), screen(2, ['text@1', 'list@1']), screen(3, ['chart@1']), screen(4, ['chart@2'])]
  const olds: [string, Caps][] = [
    ['with text', capsOf({ format: 1, widgets: ['text@1'] })],
    ['with lists', capsOf({ format: 1, widgets: ['text@1', 'list@1'] })],
    ['with charts', capsOf({ format: 1, widgets: ['text@1', 'list@1', 'chart@1'] })],
    ['with new charts', capsOf({ format: 1, widgets: ['text@1', 'list@1', 'chart@1', 'chart@2'] })],
  ]
  /** Returns the release whose revision of a screen each build shows. */
  async function shownOf(shown: Shown): Promise<number[]> {
    const { store, ask } = await stage(shown)
    for (const [, caps] of olds) await store.register(caps)
    return olds.map(([, caps]) => {
      const { documents } = ask(1, caps.hash)
      return releases.find(({ documents: all }) => all.get('screen/a')!.sha256 === documents['screen/a']!.sha256)!.release
    })
  }
  const [first, second, third, fourth] = releases as [Release, Release, Release, Release]
  const rows: [string, Shown, number[]][] = [
    ['get the newest that they can show', { stable: third, history: [second, first] }, [1, 2, 3, 3]],
    [
      'also of a release that is being rolled out',
      { stable: third, candidate: { release: fourth, rollout: to(100) }, history: [second, first] },
      [1, 2, 3, 4],
    ],
    [
      'are not touched by a rollout that they are not in',
      { stable: third, candidate: { release: fourth, rollout: to(0) }, history: [second, first] },
      [1, 2, 3, 3],
    ],
    ['never fall back to what was withdrawn', { stable: third, history: [second, first], withdrawn: [2] }, [1, 1, 3, 3]],
    [
      'never fall back to a rollout that was stopped',
      { stable: first, history: [fourth, third, second, first], withdrawn: [2, 3, 4] },
      [1, 1, 1, 1],
    ],
  ]
  test.for(rows)('%s', async ([, shown, wanted]) => {
    expect(await shownOf(shown)).toEqual(wanted)
  })
  test('what breaks on a device is replaced by what was before, never by a candidate', async () => {
    const { store } = await stage({ stable: second, candidate: { release: third, rollout: to(1) }, history: [first] })
    const sha = (release: Release) => release.documents.get('screen/a')!.sha256
    expect(store.before('screen/a', [sha(third)], undefined)?.sha256).toBe(sha(second))
    expect(store.before('screen/a', [sha(second)], undefined)?.sha256).toBe(sha(first))
    expect(store.before('screen/a', [sha(second), sha(first)], undefined)).toBeUndefined()
  })
})

describe('known builds', () => {
  const memory = (kept: KnownBuild[] = []): BuildStore & { kept: KnownBuild[] } => ({
    kept,
    load: async () => [...kept],
    keep: async (builds) => void kept.push(...builds),
  })
  const old = capsOf({ format: 1, widgets: ['text@1'] })
  test('are kept once, and known after a restart', async () => {
    const buildStore = memory()
    const { store } = await stage({ stable: one, history: [] }, buildStore)
    await store.register(old)
    await store.register(old)
    expect(buildStore.kept.map(({ caps, own: isOwn }) => [caps.hash, isOwn])).toEqual([
      [own.hash, true],
      [old.hash, false],
    ])
    const again = await stage({ stable: one, history: [] }, buildStore)
    expect(again.ask(1, old.hash).unknownBuild).toBeUndefined()
    expect(again.ask(1, 'f'.repeat(64)).unknownBuild).toBe(true)
    expect(buildStore.kept).toHaveLength(2)
  })
  test('tell which share of the clients is theirs, and when one of them last asked', async () => {
    const { store, ask, clock } = await stage({ stable: one, history: [] })
    await store.register(old)
    clock.now += 1_000
    for (const caps of [own.hash, own.hash, old.hash, undefined]) ask(1, caps)
    const listed = () => store.builds().map(({ caps, share, seenAt }) => [caps.hash, share, seenAt])
    expect(listed()).toEqual([
      [own.hash, 0.5, clock.now],
      [old.hash, 0.25, clock.now],
    ])
    clock.now += 3_600_000
    expect(store.builds().map(({ share }) => share)).toEqual([0, 0])
  })
  test('a hundred strangers push out whom nobody asks for, never the own', async () => {
    const { store, ask, clock } = await stage({ stable: one, history: [] })
    await store.register(old)
    for (let n = 0; n < 150; n += 1) {
      clock.now += 1
      ask(1, old.hash)
      await store.register(capsOf({ format: 1, widgets: [`w${n}@1`] }))
    }
    const hashes = store.builds().map(({ caps }) => caps.hash)
    expect(hashes).toHaveLength(101)
    expect(hashes).toEqual(expect.arrayContaining([own.hash, old.hash]))
  })
})
