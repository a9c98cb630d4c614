import { describe, expect, test } from 'vitest'
import { type Asker, bucketOf, bucketsMax, isIn, readAsker, segmentsIn } from '#config-server/serving/rollout.rules.ts'
import type { AppDoc } from '#language/documents/documents.ts'
import type { Rollout, Segment } from '#language/publish/publishing.ts'

/** Ids that are as regular as ids can be, which is the hardest for a hash. */
const ids = Array.from({ length: 20_000 }, (_, i) => i.toString(16).padStart(16, '0'))
const asker = (more: Partial<Asker> = {}): Asker => ({ loggedIn: false, kyc: 0, client: ids[0]!, ...more })
/** Segments as a release has them. */
const app = {
  segments: {
    verified: { label: '', test: { '>=': [{ var: 'session.kyc' }, 1] } },
    visitors: { label: '', test: { '!': [{ var: 'session.logged_in' }] } },
    japanese: { label: '', test: { '===': [{ var: 'session.language' }, 'ja'] } },
    newcomers: { label: '', test: { '>': [{ var: 'session.user.created' }, { '-': [{ now: [] }, 1] }] } },
  },
} as unknown as Pick<AppDoc, 'segments'>
const inSegment = segmentsIn(app)
const rollout = (percent: number, segment: Segment = {}): Rollout => ({ percent, segment })

describe('a segment as clients send it', () => {
  const rows: [string | undefined, Asker | undefined][] = [
    ['1.2.0123456789abcdef', { loggedIn: true, kyc: 2, client: '0123456789abcdef' }],
    ['0.0.ffffffffffffffff', { loggedIn: false, kyc: 0, client: 'ffffffffffffffff' }],
    [undefined, undefined],
    ['', undefined],
    ['visitor', undefined],
    ['2.0.0123456789abcdef', undefined],
    ['1.3.0123456789abcdef', undefined],
    ['1.2.0123456789ABCDEF', undefined],
    ['1.2.0123456789abcde', undefined],
    ['1.2.0123456789abcdef0', undefined],
    ['1.2.0123456789abcdef\n', undefined],
  ]
  test.for(rows)('%s', ([text, wanted]) => {
    expect(readAsker(text)).toEqual(wanted)
  })
})

describe('buckets', () => {
  test('are spread evenly, for every release', () => {
    for (const release of [1, 2, 77]) {
      const tenths = Array<number>(10).fill(0)
      for (const id of ids) tenths[Math.floor((bucketOf(id, release) * 10) / bucketsMax)]! += 1
      for (const count of tenths) expect(Math.abs(count - ids.length / 10)).toBeLessThan(200)
    }
  })
  test('of two releases have nothing to do with each other: not always the same customers go first', () => {
    const first = ids.filter((id) => bucketOf(id, 7) < bucketsMax / 10)
    const again = first.filter((id) => bucketOf(id, 8) < bucketsMax / 10)
    expect(again.length / first.length).toBeGreaterThan(0.07)
    expect(again.length / first.length).toBeLessThan(0.13)
  })
  test('give a client one answer, however often it asks', () => {
    for (const id of ids.slice(0, 100)) expect(new Set([1, 2, 3].map(() => bucketOf(id, 9))).size).toBe(1)
  })
})

describe('who is in', () => {
  const rows: [string, Rollout, Partial<Asker>, language: string, caps: string | undefined, boolean][] = [
    ['nobody at 0 %', rollout(0), {}, 'en', undefined, false],
    ['everybody at 100 %', rollout(100), {}, 'en', undefined, true],
    ['of the language', rollout(100, { languages: ['fr', 'en'] }), {}, 'en', undefined, true],
    ['not of another language', rollout(100, { languages: ['fr'] }), {}, 'en', undefined, false],
    ['logged in', rollout(100, { loggedIn: true }), { loggedIn: true }, 'en', undefined, true],
    ['not a visitor', rollout(100, { loggedIn: true }), {}, 'en', undefined, false],
    ['visitors alone', rollout(100, { loggedIn: false }), { loggedIn: true }, 'en', undefined, false],
    ['verified far enough', rollout(100, { kyc: 1 }), { kyc: 2 }, 'en', undefined, true],
    ['not verified far enough', rollout(100, { kyc: 2 }), { kyc: 1 }, 'en', undefined, false],
    ['the build', rollout(100, { caps: ['c'] }), {}, 'en', 'c', true],
    ['not another build', rollout(100, { caps: ['c'] }), {}, 'en', 'd', false],
    ['not a build that says nothing of itself', rollout(100, { caps: ['c'] }), {}, 'en', undefined, false],
    ['all members must fit', rollout(100, { loggedIn: true, kyc: 1 }), { loggedIn: true }, 'en', undefined, false],
    ['in a named segment', rollout(100, { named: ['verified'] }), { kyc: 1 }, 'en', undefined, true],
    ['not outside of a named segment', rollout(100, { named: ['verified'] }), { kyc: 0 }, 'en', undefined, false],
    ['in all named segments', rollout(100, { named: ['visitors', 'japanese'] }), {}, 'ja', undefined, true],
    ['not in one of two segments alone', rollout(100, { named: ['visitors', 'japanese'] }), {}, 'en', undefined, false],
    ['nobody of a segment that the release lacks', rollout(100, { named: ['gone'] }), {}, 'en', undefined, false],
    ['nobody of a segment that reads the account', rollout(100, { named: ['newcomers'] }), { loggedIn: true }, 'en', undefined, false],
    ['nobody of an empty list', rollout(100, { languages: [] }), {}, 'en', undefined, false],
  ]
  test.for(rows)('%s', ([, given, more, language, caps, wanted]) => {
    expect(isIn(given, 3, asker(more), language, caps, inSegment)).toBe(wanted)
  })

  test('who is in stays in while the percentage grows, and the share is what was asked for', () => {
    let before = new Set<string>()
    for (const percent of [0, 0.5, 1, 5, 10, 25, 50, 99, 100]) {
      const now = new Set(ids.filter((client) => isIn(rollout(percent), 12, asker({ client }), 'en', undefined, inSegment)))
      expect([...before].filter((id) => !now.has(id))).toEqual([])
      const wanted = (ids.length * percent) / 100
      expect(Math.abs(now.size - wanted)).toBeLessThanOrEqual(4 * Math.sqrt(wanted * (1 - percent / 100)) + 1e-9)
      before = now
    }
  })
})
