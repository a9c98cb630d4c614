import { expect, test } from 'vitest'
import { alarmsOf, heightOf, limitOf, linePath, madeBy, notesOf, verdictOf, wordOf } from '#console/releases/release.rules.ts'
import type { DraftStep, ReleaseInfo, ReleaseStop } from '#language/publish/publishing.ts'

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

const draftStep = (id: number, action: string, reason = ''): DraftStep => ({ id, at: id, actor: 'ann', action, reason, detail: {} })
const histories: [what: string, steps: DraftStep[], note: number | undefined, refusal: number | undefined][] = [
  ['nothing was done', [], undefined, undefined],
  ['submitted without a note', [draftStep(1, 'draft.submit')], undefined, undefined],
  ['submitted with a note', [draftStep(2, 'draft.submit', 'look'), draftStep(1, 'draft.create')], 2, undefined],
  ['sent back', [draftStep(2, 'draft.reject', 'no'), draftStep(1, 'draft.submit', 'look')], 1, 2],
  [
    'submitted again: the refusal stays, the note is that of the last submission',
    [draftStep(3, 'draft.submit', 'mended'), draftStep(2, 'draft.reject', 'no'), draftStep(1, 'draft.submit', 'look')],
    3,
    2,
  ],
  [
    'submitted again without a note',
    [draftStep(3, 'draft.submit'), draftStep(2, 'draft.reject', 'no'), draftStep(1, 'draft.submit', 'look')],
    undefined,
    2,
  ],
]
test.each(histories)('%s', (_what, steps, note, refusal) => {
  const notes = notesOf(steps)
  expect([notes.note?.id, notes.refusal?.id]).toEqual([note, refusal])
})

test('a draftStep without words of its own is known by none', () => {
  expect([wordOf('draft.reject'), wordOf('draft.unknown'), wordOf('constructor')]).toEqual(['reject', undefined, undefined])
})

test.each([
  ['healthy', 0, 'unseen'],
  ['healthy', 1, 'healthy'],
  ['watching', 0, 'watching'],
  ['bad', 0, 'bad'],
] as const)('%s with %i screens shown is told as %s', (verdict, shown, words) => {
  expect(verdictOf({ verdict, shown })).toBe(words)
})

test.each([
  ['nothing', [], 1, ''],
  ['one value is a line across', [0.5], 1, 'M0 20L100 20'],
  ['from bottom to top', [0, 1], 1, 'M0 38L100 2'],
  ['what is over the top touches it', [0, 9], 1, 'M0 38L100 2'],
  ['a gap', [1, null, 1], 1, 'M0 2M100 2'],
])('a line through %s', (_what, values, max, path) => expect(linePath(values, max)).toBe(path))

test('nothing is measured against nothing', () => expect(heightOf(0, 0)).toBe(38))
