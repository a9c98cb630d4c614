import { describe, expect, test } from 'vitest'
import {
  actOn,
  errorRate,
  type GuardAct,
  guardReasons,
  judge,
  metricsOf,
  type WatchedRelease,
  watchAfterMs,
} from '#config-server/guard/guard.rules.ts'
import { noSums, type Sums } from '#config-server/guard/metrics.ts'

const sums = (more: Partial<Sums> = {}): Sums => ({
  ...noSums(),
  batches: 50,
  shown: 100,
  latencyMs: 20_000,
  shownBy: 10,
  served: 40,
  ...more,
})

/** A rollout that 40 networks were given. */
const rollout = { completeAt: null, emergency: false }

describe('the verdict on a release', () => {
  // 100 reported screens stand for 1,000 shown ones: one page in ten reports.
  const rows: [string, Sums | undefined, Sums | undefined, verdict: string, code: (typeof guardReasons)[number]][] = [
    ['nobody said anything', undefined, sums(), 'watching', 'nothing_told'],
    ['nothing was told of it', noSums(), sums(), 'watching', 'nothing_told'],
    ['all is well', sums(), sums(), 'healthy', 'within_limits'],
    ['nothing to compare with, all is well', sums(), undefined, 'healthy', 'within_limits'],
    ['1 % and no more', sums({ broken: 10, brokenBy: 9 }), sums({ broken: 9 }), 'healthy', 'within_limits'],
    ['over 1 %', sums({ broken: 16, brokenBy: 9 }), sums({ broken: 9 }), 'bad', 'error_rate'],
    ['over 1 %, told by five', sums({ broken: 16, brokenBy: 5 }), sums(), 'bad', 'error_rate'],
    ['over 1 %, told by three', sums({ broken: 900, brokenBy: 3 }), sums(), 'suspect', 'few_networks'],
    ['told by five of very many', sums({ broken: 16, brokenBy: 5, served: 1_000 }), sums(), 'suspect', 'few_networks'],
    ['told by fewer than one in ten', sums({ broken: 900, brokenBy: 99, served: 1_000 }), sums(), 'suspect', 'few_networks'],
    ['told by one in ten', sums({ broken: 16, brokenBy: 100, served: 1_000 }), sums(), 'bad', 'error_rate'],
    ['told by as many as are told apart', sums({ broken: 16, brokenBy: 400, served: 90_000 }), sums(), 'bad', 'error_rate'],
    ['forged: nobody proved anything', { ...noSums(), unproved: 900 }, sums(), 'watching', 'nothing_told'],
    ['over 1 %, told by two', sums({ broken: 900, brokenBy: 2 }), sums(), 'watching', 'few_networks'],
    ['three times the stable release', sums({ broken: 3, brokenBy: 3 }), sums({ broken: 1 }), 'healthy', 'within_limits'],
    ['more than three times', sums({ broken: 4, brokenBy: 5 }), sums({ broken: 1 }), 'bad', 'error_rate'],
    [
      'a handful of odd devices among many',
      sums({ shown: 10_000, broken: 5, brokenBy: 5 }),
      sums({ shown: 10_000 }),
      'healthy',
      'within_limits',
    ],
    ['the stable release breaks as often', sums({ broken: 50, brokenBy: 20 }), sums({ broken: 45 }), 'healthy', 'within_limits'],
    ['the stable release breaks too, but less', sums({ broken: 90, brokenBy: 20 }), sums({ broken: 45 }), 'bad', 'error_rate'],
    ['cannot be taken over', sums({ shown: 0, latencyMs: 0, refused: 6, brokenBy: 6 }), sums(), 'bad', 'error_rate'],
    ['broke before anybody told a time', sums({ shown: 0, latencyMs: 0, broken: 6, brokenBy: 6 }), sums(), 'bad', 'error_rate'],
    ['nothing was shown on the stable release', sums({ broken: 30, brokenBy: 9 }), noSums(), 'bad', 'error_rate'],
    ['calls fail as they do', sums({ failed: 100, failedBy: 30 }), sums({ failed: 90 }), 'healthy', 'within_limits'],
    ['many more calls fail', sums({ failed: 100, failedBy: 30 }), sums({ failed: 10 }), 'bad', 'failure_rate'],
    ['more fail, of one customer', sums({ failed: 100, failedBy: 1 }), sums({ failed: 10 }), 'watching', 'few_networks'],
    ['calls fail, nothing to compare with', sums({ failed: 100, failedBy: 30 }), noSums(), 'healthy', 'within_limits'],
    ['slow, and so it was before', sums({ latencyMs: 250_000 }), sums({ latencyMs: 200_000 }), 'healthy', 'within_limits'],
    ['three times as slow, but quick', sums({ latencyMs: 100_000 }), sums({ latencyMs: 20_000 }), 'healthy', 'within_limits'],
    ['slow', sums({ latencyMs: 250_000 }), sums({ latencyMs: 50_000 }), 'bad', 'latency'],
    ['slow, told of few screens', sums({ shown: 20, latencyMs: 80_000 }), sums(), 'healthy', 'within_limits'],
  ]
  test.for(rows)('%s', ([, one, stable, verdict, code]) => {
    const judged = judge(one, stable, rollout)
    expect([judged.verdict, judged.reason.split(':')[0]]).toEqual([verdict, code])
    expect(guardReasons).toContain(code)
  })
  test('says in words what was measured against which limit', () => {
    expect(judge(sums({ broken: 50, brokenBy: 6 }), sums({ broken: 2 }), rollout).reason).toBe(
      'error_rate: 5 % of its screens broke, 0.6 % may (0.2 % do on the stable release); 6 networks told',
    )
  })
  test('what everybody has needs more witnesses than a rollout', () => {
    const verdicts = [9, 10].map((brokenBy) => judge(sums({ broken: 90, brokenBy }), sums(), { ...rollout, completeAt: 1 }).verdict)
    expect(verdicts).toEqual(['suspect', 'bad'])
  })
  test('an emergency is left to operators, whatever is told of it', () => {
    const judged = judge(sums({ broken: 900, brokenBy: 40 }), sums(), { ...rollout, emergency: true })
    expect([judged.verdict, judged.reason]).toEqual(['suspect', expect.stringMatching(/^emergency: .*90 % of its screens broke/)])
  })
})

test('figures are those that were told; only the rate knows how few pages tell', () => {
  const counted = sums({ broken: 20, brokenBy: 9 })
  expect(errorRate(counted)).toBe(0.02)
  expect(metricsOf(7, counted, judge(counted, undefined, rollout))).toMatchObject({
    release: 7,
    shown: 100,
    broken: 20,
    latencyMs: 200,
    errorRate: 0.02,
    verdict: 'bad',
  })
  expect(metricsOf(7, undefined, judge(undefined, undefined, rollout))).toMatchObject({
    shown: 0,
    latencyMs: null,
    errorRate: 0,
    verdict: 'watching',
  })
})

describe('what is done about it', () => {
  const now = 5_000_000
  const watched = (more: Partial<WatchedRelease> = {}): WatchedRelease => ({
    number: 8,
    kind: 'publish',
    from: 7,
    completeAt: null,
    emergency: false,
    ...more,
  })
  const rows: [string, WatchedRelease, 'healthy' | 'watching' | 'suspect' | 'bad', GuardAct][] = [
    ['a bad candidate is stopped', watched(), 'bad', { do: 'stop' }],
    ['a healthy one goes on', watched(), 'healthy', undefined],
    ['one that is watched goes on', watched(), 'watching', undefined],
    ['a suspect one is left to operators', watched(), 'suspect', undefined],
    ['one that everybody has goes back', watched({ completeAt: now - 1 }), 'bad', { do: 'rollback', to: 7 }],
    ['as long as it is new', watched({ completeAt: now - watchAfterMs }), 'bad', { do: 'rollback', to: 7 }],
    ['not after that', watched({ completeAt: now - watchAfterMs - 1 }), 'bad', undefined],
    ['not to nowhere', watched({ completeAt: now, from: null }), 'bad', undefined],
    ['not what came from files', watched({ completeAt: now, kind: 'files' }), 'bad', undefined],
    ['not a rollback: there would be no end of it', watched({ completeAt: now, kind: 'rollback' }), 'bad', undefined],
    ['not what a test put there', watched({ completeAt: now, kind: 'forced' }), 'bad', undefined],
  ]
  test.for(rows)('%s', ([, release, verdict, wanted]) => {
    expect(actOn(release, verdict, now)).toEqual(wanted)
  })
})
