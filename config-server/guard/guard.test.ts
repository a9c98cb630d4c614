import { expect, test } from 'vitest'
import { watchAfterMs } from '#config-server/guard/guard.rules.ts'
import { createGuard } from '#config-server/guard/guard.ts'
import { createMetrics } from '#config-server/guard/metrics.ts'
import type { Actor } from '#config-server/publishing/publishing.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ReleaseInfo } from '#language/publish/publishing.ts'
import type { ReportBatch } from '#language/publish/release.ts'
import { createLog } from '#server-kit/ops/log.ts'

const info = (number: number, more: Partial<ReleaseInfo> = {}): ReleaseInfo => ({
  number,
  hash: `h${number}`,
  kind: 'publish',
  state: 'live',
  from: number - 1,
  draft: 1,
  author: 'ann',
  approver: 'ben',
  publisher: 'eve',
  note: '',
  at: 0,
  rollout: null,
  documents: 1,
  flows: 'passed',
  ...more,
})

/** Releases as publishing holds them, and what was done to them. */
function stage(fail?: () => Error | undefined, failNote?: () => Error | undefined) {
  const clock = { now: 1_000_000 }
  const did: string[] = []
  /** Rows of the log. */
  const noted: string[] = []
  /** The release that each was about. */
  const about: (number | undefined)[] = []
  const live: { stable: ReleaseInfo; candidate: ReleaseInfo | null; version: number } = { stable: info(7), candidate: info(8), version: 1 }
  const doing = (actor: Actor, what: string, reason: string, then: () => void) => {
    did.push(`${actor.name} ${what}: ${reason}`)
    const error = fail?.()
    if (error) throw error
    then()
    return live.stable
  }
  const metrics = createMetrics({ knows: (release) => release >= 6, now: () => clock.now })
  const guard = createGuard({
    publishing: {
      live: () => live,
      async stop(actor, reason, release) {
        about.push(release)
        return doing(actor, 'stop', reason, () => (live.candidate = null))
      },
      async note(_actor, { action, subject, reason }) {
        const error = failNote?.()
        if (error) throw error
        noted.push(`${action} ${subject}: ${reason}`)
      },
      async audit({ action, subject }) {
        return { rows: [], total: noted.filter((row) => row.startsWith(`${action} ${subject}:`)).length }
      },
      async rollback(actor, number, { reason, from }) {
        about.push(from)
        const made = info(9, { kind: 'rollback', from: number, liveAt: clock.now })
        return doing(actor, `rollback ${number}`, reason, () => (live.stable = made))
      },
    },
    metrics,
    now: () => clock.now,
    log: createLog('silent'),
    everyMs: 0,
  })
  const breaks = (release: number, networks: number) => {
    const items: ReportBatch['items'] = [{ kind: 'broken', document: 'screen/a', revision: '', node: '', code: '', count: 1 }]
    for (let i = 0; i < networks; i += 1) metrics.take({ release, hash: '', caps: '', items }, () => `network ${i}`)
  }
  return { clock, did, noted, about, live, guard, breaks, metrics }
}

test('a candidate that breaks is stopped, with the reason, once', async () => {
  const { did, about, guard, breaks } = stage()
  await guard.tick()
  breaks(8, 2)
  await guard.tick()
  expect(did).toEqual([])
  breaks(8, 5)
  await guard.tick()
  expect(did).toEqual([expect.stringMatching(/^guard stop: error_rate: 100 % of its screens broke, 0\.1 % may/)])
  breaks(8, 9)
  await guard.tick()
  expect([did.length, about]).toEqual([1, [8]])
})
test('what breaks on the stable release does nothing to the candidate', async () => {
  const { did, guard, breaks } = stage()
  breaks(7, 9)
  await guard.tick()
  expect(did).toEqual([])
})
test('a release that everybody got a moment ago goes back; what follows is left alone', async () => {
  const { clock, did, about, live, guard, breaks } = stage()
  live.stable = info(8, { liveAt: clock.now })
  live.candidate = null
  clock.now += watchAfterMs / 2
  breaks(8, 10)
  await guard.tick()
  expect(did).toEqual([expect.stringMatching(/^guard rollback 7: error_rate/)])
  breaks(9, 9)
  await guard.tick()
  expect([did.length, about]).toEqual([1, [8]])
})
test('one that everybody has had for a while is left alone', async () => {
  const { clock, did, live, guard, breaks } = stage()
  live.stable = info(8, { liveAt: clock.now })
  live.candidate = null
  clock.now += watchAfterMs + 1
  breaks(8, 19)
  await guard.tick()
  expect(did).toEqual([])
})
test.each<[string, number, Partial<ReleaseInfo>]>([
  ['thin evidence', 3, {}],
  ['an emergency', 30, { emergency: true }],
])('%s is left to operators, who are asked once', async (_, networks, more) => {
  const { did, noted, live, guard, breaks } = stage()
  live.candidate = info(8, more)
  breaks(8, 2)
  await guard.tick()
  expect(noted).toEqual([])
  breaks(8, networks)
  for (let i = 0; i < 3; i += 1) await guard.tick()
  expect([did, noted]).toEqual([[], [expect.stringMatching(/^release.suspect release 8: (?:few_networks|emergency): /)]])
  expect((await guard.metrics())[0]?.verdict).toBe('suspect')
})
test('a row that could not be written is written at the next look', async () => {
  const problems: (Error | undefined)[] = [new Error('the database is busy')]
  const { noted, live, guard, breaks } = stage(undefined, () => problems.shift())
  live.candidate = info(8)
  breaks(8, 3)
  await guard.tick().catch(() => undefined)
  expect(noted).toEqual([])
  for (let i = 0; i < 2; i += 1) await guard.tick()
  expect(noted).toEqual([expect.stringMatching(/^release.suspect release 8: few_networks: /)])
})
test('what fails is tried again, what somebody else did is not', async () => {
  const problems: (Error | undefined)[] = [new Error('the database is busy'), new ApiProblem('state_wrong')]
  const { did, guard, breaks } = stage(() => problems.shift())
  breaks(8, 5)
  for (let i = 0; i < 4; i += 1) await guard.tick()
  expect(did).toHaveLength(2)
})
test('operators see the candidate beside the stable release, and hear when a figure is another', async () => {
  const { guard, breaks } = stage()
  let notified = 0
  guard.onChange(() => (notified += 1))
  await guard.tick()
  await guard.tick()
  expect(notified).toBe(1)
  breaks(8, 1)
  await guard.tick()
  expect(notified).toBe(2)
  expect((await guard.metrics()).map(({ release, broken, verdict }) => [release, broken, verdict])).toEqual([
    [8, 1, 'watching'],
    [7, 0, 'watching'],
  ])
})
