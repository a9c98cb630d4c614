import { expect, test } from 'vitest'
import { alarmsOf, limitOf, madeBy } from '#console/releases/release.rules.ts'
import type { ReleaseInfo, ReleaseStop } from '#language/publish/publishing.ts'

test.each([
  ['publish', 'ann', 'dan', 'ann'],
  ['rollback', 'system', 'dan', 'dan'],
  ['rollback', 'ann', 'guard', 'guard'],
  ['files', 'system', 'system', 'system'],
] as const)('a release of kind %s, written by %s and published by %s, is by %s', (kind, author, publisher, by) => {
  expect(madeBy({ kind, author, publisher })).toBe(by)
})

const stop = (automatic: boolean): ReleaseStop => ({ at: 1, by: automatic ? 'guard' : 'dan', reason: 'x', automatic, figures: null })
const release = (number: number, more: Partial<ReleaseInfo> = {}) => ({ number, kind: 'publish', state: 'past', ...more }) as ReleaseInfo
const [stoppedByGuard, stoppedByDan]: Partial<ReleaseInfo>[] = [
  { state: 'stopped', stop: stop(true) },
  { state: 'stopped', stop: stop(false) },
]
test.each<[what: string, releases: ReleaseInfo[], alarms: number[]]>([
  ['nothing was stopped', [release(1), release(2, { state: 'live' })], []],
  ['the guard stopped a rollout', [release(1, { state: 'live' }), release(2, stoppedByGuard)], [2]],
  [
    'the guard rolled back what everybody had',
    [release(1), release(2, stoppedByGuard), release(3, { kind: 'rollback', state: 'live' })],
    [2],
  ],
  ['two after each other', [release(3, stoppedByGuard), release(1, { state: 'live' }), release(2, stoppedByGuard)].reverse(), [3, 2]],
  ['an operator stopped it', [release(1, { state: 'live' }), release(2, stoppedByDan)], []],
  ['a better one is being rolled out', [release(1, { state: 'live' }), release(2, stoppedByGuard), release(3, { state: 'candidate' })], []],
  ['it was stopped before reasons were kept', [release(1, { state: 'live' }), release(2, { state: 'stopped', stop: null })], []],
])('%s', (_what, releases, alarms) => {
  expect(alarmsOf(releases).map(({ number }) => number)).toEqual(alarms)
})

test.each([
  ['error_rate: 3 % of its screens broke', 'error_rate'],
  ['latency: a screen takes 9 s', 'latency'],
  ['error_rate', undefined],
  ['It looked wrong', undefined],
])('%s is the limit %s', (reason, limit) => {
  expect(limitOf(reason)).toBe(limit)
})
