import { afterEach, describe, expect, test } from 'vitest'
import { createGuard, type GuardOptions } from '#config-server/guard/guard.ts'
import { makeRelease, type Release } from '#config-server/release.rules.ts'
import { isIn, readAsker } from '#config-server/serving/rollout.rules.ts'
import type { ReleaseInfo, Rollout } from '#language/publish/publishing.ts'
import type { Manifest } from '#language/publish/release.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { type Listener, listen, reach, readManifest, releasesIn, segmentOf } from '#tests/support/feed/readers.ts'
import { ask } from '#tests/support/servers/http.ts'
import { deviceOf, numbered, revision, type Serving, startServing } from '#tests/support/servers/serving-stage.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
async function serve(options: Parameters<typeof startServing>[0] = {}): Promise<Serving> {
  const serving = await startServing(options)
  ends.push(serving.stop)
  return serving
}

describe('a failing rollout', () => {
  const clients = 200
  const stepMs = 5_000

  /** Pointer, guard and serving, on a clock that the test moves. */
  async function stage(stable: Release, candidate: Release, rollout: Rollout) {
    const clock = { now: 1_790_000_000_000 }
    const serving = await serve({ clock })
    const infoOf = ({ release }: Release) => ({ number: release, kind: 'publish', from: release - 1, at: clock.now }) as ReleaseInfo
    const live: ReturnType<GuardOptions['publishing']['live']> = { stable: infoOf(stable), candidate: infoOf(candidate), version: 1 }
    const said: string[] = []
    await serving.show({ stable, history: [] })
    await serving.show({ stable, candidate: { release: candidate, rollout }, history: [stable] })
    const guard = createGuard({
      publishing: {
        live: () => live,
        async stop(actor, reason) {
          said.push(`${actor.name}: ${reason}`)
          live.candidate = null
          await serving.show({ stable, history: [candidate, stable], withdrawn: [candidate.release] })
          return live.stable
        },
        rollback: () => Promise.reject(new Error('nothing is complete')),
        note: async () => undefined,
        audit: async () => ({ rows: [], total: 0 }),
      },
      metrics: serving.metrics,
      now: () => clock.now,
      log: createLog('silent'),
      everyMs: 0,
    })
    return { clock, serving, guard, said, live }
  }
  /** Each client is in a network of its own. */
  const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n}.7` })
  const report = (
    serving: Serving,
    n: number,
    { release, hash }: Pick<Manifest, 'release' | 'hash'>,
    kind: 'broken' | 'latency',
    ticket = '',
  ) =>
    ask(serving.origin, '/config/reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(n) },
      body: JSON.stringify({
        release,
        hash,
        caps: '',
        tickets: [ticket],
        items: [{ kind, document: 'screen/s1', revision: '', node: '', code: '', count: 1, ...(kind === 'latency' && { ms: 120 }) }],
      }),
    })
  /** A device inside the rollout. */
  const inside = (rollout: Rollout) =>
    Array.from({ length: 1_000 }, (_, n) => deviceOf(n)).find((device) =>
      isIn(rollout, 2, readAsker(segmentOf(device))!, 'en', undefined, () => false),
    )!

  /** Every client opens the app within half a minute and reports five seconds later; one in ten reports its latency. */
  async function live(breaks: boolean) {
    const [stable, candidate] = [numbered(1), numbered(2)]
    const { clock, serving, guard, said, live: now } = await stage(stable, candidate, { segment: {}, percent: 5 })
    const saw = new Set<number>()
    let stoppedAfterMs: number | undefined
    for (let step = 0; step * stepMs < 40_000 && stoppedAfterMs === undefined; step += 1) {
      clock.now += stepMs
      const present = Array.from({ length: clients }, (_, n) => n).filter((n) => n % 6 <= step)
      await Promise.all(
        present.map(async (n) => {
          const { manifest, ticket } = await readManifest(serving.origin, segmentOf(deviceOf(n)), undefined, from(n))
          const hasIt = manifest!.release === candidate.release
          if (hasIt) saw.add(n)
          if (hasIt && breaks) await report(serving, n, manifest!, 'broken', ticket)
          else if (n % 10 === 0) await report(serving, n, manifest!, 'latency', ticket)
        }),
      )
      await guard.tick()
      if (now.candidate === null) stoppedAfterMs = (step + 1) * stepMs
    }
    const after = await Promise.all(Array.from({ length: clients }, (_, n) => readManifest(serving.origin, segmentOf(deviceOf(n)))))
    return { saw, said, stoppedAfterMs, after: new Set(after.map(({ manifest }) => manifest!.release)) }
  }

  test('is stopped within a minute, no other device saw it, and every device is back on the stable release', async () => {
    const { saw, said, stoppedAfterMs, after } = await live(true)
    console.error(`rollout to 5 % of ${clients} clients: stopped after ${stoppedAfterMs} ms, ${saw.size} saw it`)
    expect(stoppedAfterMs).toBeLessThanOrEqual(60_000)
    // Three standard deviations of a share of 5 %.
    expect(saw.size).toBeLessThanOrEqual(0.05 * clients + 3 * Math.sqrt(0.05 * 0.95 * clients))
    expect(saw.size).toBeGreaterThanOrEqual(5)
    expect(said).toEqual([expect.stringMatching(/^guard: error_rate: /)])
    expect([...after]).toEqual([1])
  })
  test('and a working one continues', async () => {
    const { saw, said, stoppedAfterMs, after } = await live(false)
    expect(saw.size).toBeGreaterThan(0)
    expect([stoppedAfterMs, said, [...after].sort()]).toEqual([undefined, [], [1, 2]])
  })
  test('is not stopped by reports of clients outside it, nor by few networks with many reports', async () => {
    const rollout = { segment: {}, percent: 5 }
    const { serving, guard, said } = await stage(numbered(1), numbered(2), rollout)
    const candidate = { release: 2, hash: 'h' }
    const outside = await readManifest(serving.origin, '', undefined, from(99))
    expect(outside.manifest!.release).toBe(1)
    for (let n = 0; n < 30; n += 1)
      for (const ticket of ['', 'forged', `2.29833333.AAAAAAAA.${'A'.repeat(22)}`, outside.ticket])
        expect((await report(serving, n, candidate, 'broken', ticket)).status).toBe(204)
    await guard.tick()
    expect((await guard.metrics())[0]).toMatchObject({ broken: 0, verdict: 'watching' })
    const device = inside(rollout)
    const real = async (n: number) => (await readManifest(serving.origin, segmentOf(device), undefined, from(n))).ticket
    const stolen = await real(0)
    for (let n = 0; n < 30; n += 1) await report(serving, n, candidate, 'broken', stolen)
    for (let n = 0; n < 4; n += 1) for (let i = 0; i < 9; i += 1) await report(serving, n, candidate, 'broken', await real(n))
    await guard.tick()
    expect([said, (await guard.metrics())[0]?.verdict]).toEqual([[], 'suspect'])
    await report(serving, 4, candidate, 'broken', await real(4))
    await guard.tick()
    expect(said).toHaveLength(1)
  })
})

describe('five hundred listeners', () => {
  test('get a release, its replacement by an emergency release, and its rollback within ten seconds', async () => {
    const serving = await serve()
    const withWidget = makeRelease(2, [revision('screen/s0', { body: [{ id: 'a', widget: 'chart' }] })], new Map())
    const without = makeRelease(3, [revision('screen/s0', { body: [] })], new Map())
    const back = makeRelease(4, [...withWidget.documents.values()], new Map())
    await serving.show({ stable: numbered(1), history: [] })
    const all: Listener[] = []
    for (let n = 0; n < 500; n += 50)
      all.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => listen(serving.origin, segmentOf(deviceOf(n + i)))))))
    ends.push(() => {
      for (const one of all) one.close()
    })
    const steps: [string, Release][] = [
      ['a release', withWidget],
      ['a widget out of use', without],
      ['the way back', back],
    ]
    for (const [what, release] of steps) {
      const reached = reach(all, release.release, 0.99, 40_000)
      await serving.show({ stable: release, history: [numbered(1)] })
      const ms = await reached
      console.error(`${what}: 99 % of ${all.length} clients had it after ${Math.round(ms)} ms`)
    }
    const fromMs = performance.now()
    await serving.show({ stable: back, candidate: { release: numbered(5), rollout: { segment: {}, percent: 1 } }, history: [back] })
    while (!all.some((one) => one.release === 5) && performance.now() - fromMs < 20_000) await new Promise((done) => setTimeout(done, 10))
    await new Promise((done) => setTimeout(done, 300))
    const share = all.filter((one) => one.release === 5).length / all.length
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.025)
  })
})

describe('readers during releases', () => {
  test('never get a mix of two releases, and never an error', async () => {
    const serving = await serve()
    const releases = Array.from({ length: 13 }, (_, i) => numbered(i + 1))
    await serving.show({ stable: releases[0]!, history: [] })
    let ended = false
    const seen = new Set<number>()
    let reads = 0
    const reader = async (n: number) => {
      while (!ended) {
        const { manifest } = await readManifest(serving.origin, segmentOf(deviceOf(n)))
        const found = await releasesIn(serving.origin, manifest!)
        expect([...found]).toEqual([manifest!.release])
        seen.add(manifest!.release)
        reads += 1
      }
    }
    const all = Promise.all(Array.from({ length: 40 }, (_, n) => reader(n)))
    for (let i = 1; i < releases.length; i += 1) {
      const [stable, release] = [releases[i - 1]!, releases[i]!]
      const history = releases.slice(0, i).reverse()
      const before = reads
      // Every third release first goes to half of the clients, and is stopped before the next one.
      if (i % 3 === 0) {
        await serving.show({ stable, candidate: { release, rollout: { segment: {}, percent: 50 } }, history })
        while (reads < before + 40) await new Promise((done) => setTimeout(done, 5))
        await serving.show({ stable, history: [release, ...history], withdrawn: [release.release] })
      }
      await serving.show({ stable: release, history })
      while (reads < before + 80) await new Promise((done) => setTimeout(done, 5))
    }
    ended = true
    await all
    console.error(`${reads} whole sets read during ${releases.length - 1} publishes`)
    expect(seen.size).toBe(releases.length)
  })
})
