import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#config-server/publishing/publishing.ts'
import type { GuardMetrics, ReleaseInfo, Rollout } from '#language/publish/publishing.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { readManifest, segmentOf } from '#tests/support/feed/readers.ts'
import { takeDatabase } from '#tests/support/servers/config-database.ts'
import { createConfigRoot, documents } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, type RunOptions, runConfig } from '#tests/support/servers/config-server.ts'
import { ask, listenTo } from '#tests/support/servers/http.ts'
import { deviceOf } from '#tests/support/servers/serving-stage.ts'

/** End to end: two operators publish a release, clients report failures, and the guard rolls it back. */

const ends: (() => Promise<void> | void)[] = []
beforeAll(async () => {
  // The database engine starts once for all tests of this file, because its start is slow.
  ;(await takeDatabase()).giveBack()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const operator = (name: string, ...roles: Actor['roles'][number][]): Actor => ({ name, roles, kind: 'operator' })
const [ann, ben, eve] = [operator('ann', 'editor'), operator('ben', 'approver', 'administrator'), operator('eve', 'publisher')]

async function start(options: RunOptions = {}) {
  const folder = await createConfigRoot()
  ends.push(folder.remove)
  const clock = { now: Date.now() }
  const running = await runConfig(folder.root, { guardMs: 0, tickMs: 0, now: () => clock.now, ...options })
  ends.push(running.stop)
  return { running, clock }
}

async function publish({ config }: RunningConfig, title: string, rollout?: Rollout, emergency = false): Promise<ReleaseInfo> {
  const { publishing } = config
  const { id } = await publishing.create(ann, { name: `title ${title}` })
  const path = 'schemas/screens/home.json'
  const screen = { ...(documents[path] as object), body: [{ id: 'words', widget: 'text', props: { text: { $t: title } } }] }
  await publishing.save(ann, id, { path, text: JSON.stringify(screen, null, 2), version: 0 })
  const { hash } = await publishing.submit(ann, id, { note: '' })
  await publishing.approve(ben, id, { hash: hash!, note: '', unrunFlows: 'a text alone' })
  return (await publishing.publish(eve, id, {
    hash: hash!,
    reason: 'another title',
    emergency,
    ...(rollout && { rollout }),
  })) as ReleaseInfo
}
/** A separate network for each client. */
const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n}.7` })
/** Clients that got the release, each in another network, report a broken screen. */
async function report(
  { origin }: RunningConfig,
  release: number,
  clients: number,
  more: { headers?: (n: number) => object } = {},
): Promise<void> {
  const { headers = from } = more
  const given = Array.from({ length: 200 }, (_, n) => segmentOf(deviceOf(n)))
  let served = 0
  for (let n = 0; n < clients; n += 1) {
    let ticket: string | undefined
    while (ticket === undefined && served < given.length) {
      const asked = await readManifest(origin, given[served]!, undefined, headers(n) as Record<string, string>)
      if (asked.manifest!.release === release) ticket = asked.ticket
      else served += 1
    }
    await say(origin, release, { ...headers(n) }, ticket)
  }
}
async function say(origin: string, release: number, headers: object, ticket = ''): Promise<void> {
  const item = { kind: 'broken', document: 'screen/home.home', revision: '', node: 'words', code: 'text', count: 1 }
  const answer = await ask(origin, '/config/reports', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ release, hash: 'h', caps: '', tickets: [ticket], items: [item] }),
  })
  expect(answer.status).toBe(204)
}
const releasesOf = async ({ origin }: RunningConfig) =>
  new Set(
    await Promise.all(Array.from({ length: 60 }, async (_, n) => (await readManifest(origin, segmentOf(deviceOf(n)))).manifest!.release)),
  )
const guarded = async ({ config }: RunningConfig) => (await config.publishing.audit({ actor: 'guard' })).rows

test('a failing rollout is stopped, and the log says by whom and why', async () => {
  const { running } = await start()
  const { number } = await publish(running, 'other.title', { segment: {}, percent: 50 })
  expect(await releasesOf(running)).toEqual(new Set([number - 1, number]))
  await report(running, number, 2)
  await running.config.guard.tick()
  expect(await guarded(running)).toEqual([])
  const stream = await listenTo(running.origin, '/config/events')
  ends.push(stream.close)
  await report(running, number, 5)
  await running.config.guard.tick()
  expect(await releasesOf(running)).toEqual(new Set([number - 1]))
  expect(await running.config.publishing.release(number)).toMatchObject({
    state: 'stopped',
    stop: { by: 'guard', automatic: true, figures: { verdict: 'bad', screens: [{ document: 'screen/home.home', broken: 7 }] } },
  })
  const [row, ...more] = await guarded(running)
  expect([row!.subject, more]).toEqual([`release ${number}`, []])
  expect(row!.reason).toMatch(/^error_rate: 100 % of its screens broke/)
  let event = JSON.parse(await stream.next('release'))
  if (event.release === number) event = JSON.parse(await stream.next('release'))
  expect(event.release).toBe(number - 1)
  await say(running.origin, number, from(9))
  await running.config.guard.tick()
  expect(await guarded(running)).toHaveLength(1)
})

test('forged reports have no effect, in any number; few reports leave the decision to operators; an emergency release stays', async () => {
  const { running } = await start()
  const { publishing, guard } = running.config
  const { number } = await publish(running, 'other.title')
  for (let n = 0; n < 60; n += 1) await say(running.origin, number, from(n), n % 2 ? `${number}.29833333.AAAAAAAA.${'A'.repeat(22)}` : '')
  await guard.tick()
  expect([publishing.live().stable.number, await guarded(running), (await guard.metrics())[0]?.verdict]).toEqual([number, [], 'watching'])
  await report(running, number, 9)
  await guard.tick()
  expect(publishing.live().stable.number).toBe(number)
  expect(await guarded(running)).toMatchObject([{ action: 'release.suspect', subject: `release ${number}` }])
  await report(running, number, 10)
  await guard.tick()
  expect(publishing.live().stable).toMatchObject({ kind: 'rollback', publisher: 'guard' })
  const repair = await publish(running, 'home.leave', undefined, true)
  await report(running, repair.number, 30)
  await guard.tick()
  expect(publishing.live().stable).toMatchObject({ number: repair.number, emergency: true })
  expect((await guard.metrics())[0]).toMatchObject({ verdict: 'suspect', reason: expect.stringMatching(/^emergency: /) })
})

test('a recent full release is rolled back once, and the following one is left alone', async () => {
  const { running, clock } = await start()
  const { publishing, guard } = running.config
  const first = publishing.live().stable.number
  const { number } = await publish(running, 'other.title', { segment: {}, percent: 50 })
  clock.now += 3_600_000
  await publishing.rollout(eve, { complete: true, reason: 'all is well' })
  clock.now += 300_000
  await report(running, number, 10)
  await guard.tick()
  const { stable } = publishing.live()
  expect([stable.kind, stable.from, stable.number > number, stable.publisher]).toEqual(['rollback', first, true, 'guard'])
  await report(running, stable.number, 9)
  await guard.tick()
  expect(publishing.live().stable.number).toBe(stable.number)
  expect(await guarded(running)).toHaveLength(1)
})

test('behind an unknown proxy all clients are one network, and have no effect', async () => {
  const { running } = await start({ security: createSecurity({ trustProxy: [] }) })
  const { number } = await publish(running, 'other.title', { segment: {}, percent: 50 })
  await report(running, number, 9)
  await running.config.guard.tick()
  expect(running.config.publishing.live().candidate?.number).toBe(number)
  expect((await running.config.guard.metrics())[0]).toMatchObject({ broken: 9, verdict: 'watching' })
})

test('a release forced by a test is left alone, however it fails', async () => {
  const { running } = await start()
  const { publishing, guard } = running.config
  const forced = await publishing.publishUnchecked(
    { name: 'test', roles: [], kind: 'test' },
    { 'screen/home.home': { kind: 'screen', body: 1 } },
  )
  await report(running, forced.number, 10)
  await guard.tick()
  expect(publishing.live().stable.number).toBe(forced.number)
  expect((await guard.metrics()).map(({ release, verdict }: GuardMetrics) => [release, verdict])[0]).toEqual([forced.number, 'bad'])
})

test('counts of nodes are added up, and a restart keeps them', async () => {
  const folder = await createConfigRoot()
  ends.push(folder.remove)
  const options = { place: 'guard', guardMs: 0, tickMs: 0 }
  const first = await runConfig(folder.root, options)
  ends.push(first.stop)
  const { number } = await publish(first, 'other.title', { segment: {}, percent: 50 })
  await report(first, number, 2)
  await first.config.guard.metrics()
  const second = await runConfig(folder.root, { ...options, database: first.database })
  ends.push(second.stop)
  const metrics = async () => (await second.config.guard.metrics())[0]
  expect(await metrics()).toMatchObject({ release: number, broken: 2, verdict: 'watching' })
  await report(second, number, 5)
  expect(await metrics()).toMatchObject({ release: number, broken: 7, verdict: 'bad' })
  await second.config.guard.tick()
  await first.config.publishing.tick()
  await first.config.guard.tick()
  expect([first, second].map(({ config }) => config.publishing.live().candidate)).toEqual([null, null])
  expect(await guarded(first)).toHaveLength(1)
})
