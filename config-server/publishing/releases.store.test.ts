import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configMigrations } from '#config-server/migrations.ts'
import { guardActor, type Publishing, testActor } from '#config-server/publishing/publishing.ts'
import type { GuardMetrics, Schedule } from '#language/publish/publishing.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { emptyConfig } from '#tests/support/servers/config-database.ts'
import {
  ann,
  approved,
  ben,
  cleo,
  codeOf,
  dan,
  home,
  homeWords,
  type PublishingStage,
  published,
  stagePublishing,
  submitted,
  words,
} from '#tests/support/servers/publishing-stage.ts'

/** The guard's metrics of a bad release. */
const figures: GuardMetrics = {
  release: 2,
  shown: 90,
  broken: 30,
  refused: 0,
  failed: 0,
  latencyMs: 40,
  errorRate: 0.03,
  verdict: 'bad',
  reason: 'error_rate: 3 %',
  screens: [{ document: 'screen/home.home', broken: 30 }],
}

onEngines('releases', (engine) => {
  let database: Database
  let stage: PublishingStage
  let publishing: Publishing
  beforeAll(async () => {
    database = await engine.open(configMigrations)
  })
  beforeEach(async () => {
    await emptyConfig(database)
    stage = await stagePublishing(database)
    publishing = stage.publishing
  })
  const served = () => {
    const [shown] = stage.shown
    return { stable: shown?.stable.release, candidate: shown?.candidate?.release.release, withdrawn: shown?.withdrawn }
  }
  const wordsServed = () => stage.shown[0]?.stable.texts.get('en')?.get('home')?.canonical
  const textOf = (path: string) => stage.files.find((one) => one.file === path)!.text

  test('a draft becomes a release with who, why and which hashes, and its sources come back byte for byte', async () => {
    const odd = `{"title":   "Hi é\\u00e9 ¤",\r\n\t"leave": "a"  }`
    const { hash: before } = publishing.live().stable
    const release = await published(publishing, 'odd', homeWords, odd)
    expect(release).toMatchObject({ number: 2, kind: 'publish', state: 'live', from: 1, author: 'ann', approver: 'cleo', publisher: 'dan' })
    expect(release).toMatchObject({ note: 'for odd', flows: 'not-run', draft: 1, rollout: null, liveAt: stage.clock.now })
    expect(served().stable).toBe(2)
    expect(JSON.parse(wordsServed()!)).toMatchObject({ title: 'Hi éé ¤' })
    const { files } = await publishing.files({ release: 2 })
    expect(files).toEqual({ ...Object.fromEntries(stage.files.map(({ file, text }) => [file, text])), [homeWords]: odd })
    const [row] = (await publishing.audit({ action: 'release.publish' })).rows
    expect(row).toMatchObject({ actor: 'dan', subject: 'release 2', fromHash: before, toHash: release.hash, reason: 'for odd' })
    expect(await publishing.draft(1)).toMatchObject({ state: 'published', release: 2 })
    expect((await publishing.diff(2)).map(({ path }) => path)).toEqual([homeWords])
    expect((await publishing.releases()).map(({ number, state }) => [number, state])).toEqual([
      [2, 'live'],
      [1, 'past'],
    ])
  })

  test('nothing goes live without an approval, a reason, and the hash that was seen', async () => {
    const { id, hash } = await submitted(publishing, 'early', homeWords, words('Hi'))
    expect(await codeOf(publishing.publish(dan, id, { hash, reason: 'x' }))).toBe('not_approved')
    await publishing.approve(cleo, id, { hash, note: '', unrunFlows: 'none' })
    expect(await codeOf(publishing.publish(dan, id, { hash, reason: ' ' }))).toBe('reason_missing')
    expect(await codeOf(publishing.publish(dan, id, { hash: 'f'.repeat(64), reason: 'x' }))).toBe('hash_changed')
    await publishing.reject(cleo, id, { hash, reason: 'no' })
    expect(await codeOf(publishing.publish(dan, id, { hash, reason: 'x' }))).toBe('not_approved')
    expect([publishing.live().stable.number, served().stable]).toEqual([1, 1])
  })

  test('twice at once is one release', async () => {
    const { id, hash } = await approved(publishing, 'twice', homeWords, words('Hi'))
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(publishing.publish(dan, id, { hash, reason: 'x' }))))
    expect(codes.filter((code) => typeof code === 'object')).toHaveLength(1)
    expect((await publishing.releases()).map((one) => one.number)).toEqual([2, 1])
  })

  test('a stale base is refused and brought together node by node; a contradiction waits for a choice', async () => {
    const other = await approved(publishing, 'other', 'locales/en/other.json', '{\n  "title": "Else"\n}\n')
    const same = await approved(publishing, 'same', homeWords, words('mine'))
    await published(publishing, 'first', homeWords, words('theirs'))
    expect(await publishing.draft(other.id)).toMatchObject({ stale: true, state: 'approved' })
    for (const { id, hash } of [other, same]) expect(await codeOf(publishing.publish(dan, id, { hash, reason: 'x' }))).toBe('stale_base')

    const merged = await publishing.merge(ann, other.id, {})
    expect(merged).toMatchObject({
      conflicts: [],
      draft: { stale: false, base: 2, state: 'open', approval: null, paths: ['locales/en/other.json'] },
    })
    const { files } = await publishing.files({ draft: other.id })
    expect(JSON.parse(files[homeWords]!)).toMatchObject({ title: 'theirs' })

    const waits = await publishing.merge(ann, same.id, {})
    expect(waits.conflicts).toMatchObject([{ path: homeWords, mine: 'mine', theirs: 'theirs' }])
    expect(waits.draft).toMatchObject({ stale: true, state: 'approved', hash: same.hash })
    const chosen = await publishing.merge(ann, same.id, { [waits.conflicts[0]!.id]: 'mine' })
    expect(chosen).toMatchObject({ conflicts: [], draft: { stale: false, base: 2, state: 'open' } })
    const { hash } = await publishing.submit(ann, same.id, { note: '' })
    await publishing.approve(cleo, same.id, { hash: hash!, note: '', unrunFlows: 'none' })
    await publishing.publish(dan, same.id, { hash: hash!, reason: 'x' })
    expect(JSON.parse(wordsServed()!)).toMatchObject({ title: 'mine' })
  })

  describe('at a time', () => {
    const schedule = async (name: string, inMs = 60_000) => {
      const { id, hash } = await approved(publishing, name, homeWords, words(name))
      const request = { hash, reason: `at night ${name}`, at: stage.clock.now + inMs }
      return (await publishing.publish(dan, id, request)) as Schedule
    }
    test('goes live by itself, once, in the name of who set it', async () => {
      const made = await schedule('later')
      expect(made).toMatchObject({ state: 'waiting', by: 'dan' })
      await publishing.tick()
      expect(publishing.live().stable.number).toBe(1)
      stage.clock.now += 60_000
      const second = await stagePublishing(database, 'open', stage.clock)
      await Promise.all([publishing.tick(), second.publishing.tick()])
      await publishing.tick()
      expect(publishing.live().stable).toMatchObject({ number: 2, publisher: 'dan', note: 'at night later' })
      expect((await publishing.audit({ action: 'schedule.refused' })).total).toBe(0)
    })
    test('is refused with its reason where something else went live', async () => {
      const made = await schedule('late')
      await published(publishing, 'quick', homeWords, words('quick'))
      stage.clock.now += 60_000
      await publishing.tick()
      expect(publishing.live().stable.number).toBe(2)
      expect((await publishing.draft(made.draft)).schedule).toMatchObject({ state: 'refused', reason: 'stale_base' })
      await publishing.tick()
      expect((await publishing.audit({ action: 'schedule.refused' })).total).toBe(1)
    })
    test.for(['cancelled', 'changed'] as const)('does not happen once it was %s', async (how) => {
      const { draft } = await schedule('never')
      if (how === 'cancelled') await publishing.cancelSchedule(dan, draft, 'not now')
      else await publishing.save(ben, draft, { path: 'locales/fr/home.json', text: words('x'), version: 0 })
      stage.clock.now += 60_000
      await publishing.tick()
      expect([publishing.live().stable.number, (await publishing.draft(draft)).schedule]).toEqual([1, null])
      expect(await codeOf(publishing.cancelSchedule(dan, draft, 'again'))).toBe('state_wrong')
    })
  })

  test('a rollout widens, keeps others out, and completes', async () => {
    const rollout = { percent: 5, segment: { languages: ['en'] } }
    const release = await published(publishing, 'staged', homeWords, words('staged'), { rollout })
    expect(release).toMatchObject({ number: 2, state: 'candidate', rollout, liveAt: null })
    expect(served()).toMatchObject({ stable: 1, candidate: 2 })
    const next = await approved(publishing, 'next', home, `${textOf(home)}\n`)
    expect(await codeOf(publishing.publish(dan, next.id, { hash: next.hash, reason: 'x' }))).toBe('state_wrong')
    expect(await publishing.rollout(dan, { percent: 50, reason: 'well' })).toMatchObject({
      state: 'candidate',
      rollout: { percent: 50, segment: rollout.segment },
    })
    expect(stage.shown[0]?.candidate?.rollout.percent).toBe(50)
    const unknown = { named: ['no_such_segment'] }
    for (const wrong of [{}, { percent: 101 }, { complete: true, stop: true }, { percent: 5, stop: true }, { segment: unknown }])
      expect(await codeOf(publishing.rollout(dan, { ...wrong, reason: 'x' }))).toBe('state_wrong')
    stage.clock.now += 5
    expect(await publishing.rollout(dan, { complete: true, reason: 'all well' })).toMatchObject({ state: 'live', liveAt: stage.clock.now })
    expect(served()).toEqual({ stable: 2, candidate: undefined, withdrawn: [] })
    expect(await codeOf(publishing.rollout(dan, { percent: 100, reason: 'x' }))).toBe('state_wrong')
  })

  test('a rollout that is stopped leaves everybody where they were, and nobody falls back to it', async () => {
    await published(publishing, 'staged', homeWords, words('staged'), { rollout: { percent: 5, segment: {} } })
    expect(await publishing.stop(guardActor, 'error_rate: 3 %')).toMatchObject({ number: 2, state: 'stopped' })
    expect(served()).toMatchObject({ stable: 1, candidate: undefined, withdrawn: [2] })
    expect((await publishing.audit({ actor: 'guard' })).rows).toMatchObject([{ action: 'release.stop', reason: 'error_rate: 3 %' }])
    expect(await published(publishing, 'after', homeWords, words('after'))).toMatchObject({ number: 3, state: 'live', from: 1 })
  })

  test('going back is a release of its own with the earlier content', async () => {
    const { hash } = publishing.live().stable
    await published(publishing, 'bad', homeWords, words('bad'))
    expect(await codeOf(publishing.rollback(dan, 1, { reason: '' }))).toBe('reason_missing')
    expect(await codeOf(publishing.rollback(dan, 9, { reason: 'x' }))).toBe('not_found')
    expect(await codeOf(publishing.rollback(dan, 2, { reason: 'x' }))).toBe('state_wrong')
    expect(await publishing.rollback(dan, 1, { reason: 'it was bad' })).toMatchObject({
      number: 3,
      kind: 'rollback',
      from: 1,
      hash,
      state: 'live',
    })
    expect(served()).toMatchObject({ stable: 3, withdrawn: [2] })
    expect(JSON.parse(wordsServed()!)).toEqual(JSON.parse(textOf(homeWords)))
    const { rows } = await publishing.audit({ action: 'release' })
    expect(rows.map((row) => [row.action, row.subject])).toEqual([
      ['release.rollback', 'release 3'],
      ['release.publish', 'release 2'],
      ['release.import', 'release 1'],
    ])
  })

  test('a stopped release says who stopped it and why, and is no way back without force', async () => {
    const rollout = { percent: 5, segment: {} }
    const first = await published(publishing, 'staged', homeWords, words('staged'), { rollout })
    stage.clock.now += 7
    await publishing.stop(guardActor, 'error_rate: 3 %', first.number, figures)
    const stop = { at: stage.clock.now, by: 'guard', reason: 'error_rate: 3 %', automatic: true, figures }
    expect(await publishing.release(first.number)).toMatchObject({ state: 'stopped', stop })
    const second = await published(publishing, 'again', homeWords, words('again'), { rollout })
    await publishing.stop(dan, 'not now')
    expect((await publishing.releases())[0]).toMatchObject({
      number: second.number,
      stop: { by: 'dan', reason: 'not now', automatic: false, figures: null },
    })
    for (const { number } of [first, second])
      expect(await codeOf(publishing.rollback(dan, number, { reason: 'x' }))).toBe('release_stopped')
    expect(publishing.live().stable.number).toBe(1)
    expect(await publishing.rollback(dan, first.number, { reason: 'it was well', force: true })).toMatchObject({
      from: first.number,
      state: 'live',
    })
    const [row] = (await publishing.audit({ action: 'release.rollback' })).rows
    expect(row).toMatchObject({ reason: 'it was well', detail: { forced: true } })
  })

  test('what the guard rolls back from is a stopped release', async () => {
    const bad = await published(publishing, 'bad', homeWords, words('bad'))
    await publishing.rollback(guardActor, 1, { reason: 'error_rate: 3 %', from: bad.number, figures })
    expect(await publishing.release(bad.number)).toMatchObject({ state: 'stopped', stop: { automatic: true, figures } })
    expect(await codeOf(publishing.rollback(dan, bad.number, { reason: 'x' }))).toBe('release_stopped')
    expect((await publishing.release(1)).stop).toBeUndefined()
  })

  test('an emergency says so, and is not scheduled', async () => {
    const release = await published(publishing, 'repair', homeWords, words('repaired'), { emergency: true })
    expect(release).toMatchObject({ state: 'live', emergency: true })
    const next = await approved(publishing, 'next', homeWords, words('next'))
    const later = { hash: next.hash, reason: 'x', at: stage.clock.now + 1_000, emergency: true }
    expect(await codeOf(publishing.publish(dan, next.id, later))).toBe('state_wrong')
  })

  test('another node sees what this one moved', async () => {
    const second = await stagePublishing(database, 'open', stage.clock)
    await published(publishing, 'here', homeWords, words('here'), { rollout: { percent: 5, segment: {} } })
    expect(second.shown).toHaveLength(1)
    const notified: unknown[] = []
    second.publishing.onChange((event) => notified.push(event.about))
    await second.publishing.tick()
    expect(second.shown[0]).toMatchObject({ stable: { release: 1 }, candidate: { release: { release: 2 } } })
    await second.publishing.tick()
    expect([second.shown.length, notified]).toEqual([2, ['release']])
  })

  test('the log is only added to, and says when somebody got past that', async () => {
    await published(publishing, 'one', homeWords, words('one'))
    expect(await publishing.verifyAudit()).toEqual({ ok: true, rows: (await publishing.audit({})).total, brokenAt: null })
    const [change, remove, all] = [
      sql`update config_audit set reason = 'other' where id = 2`,
      sql`delete from config_audit where id = 2`,
      sql`truncate config_audit`,
    ]
    for (const query of [change, remove, all]) await expect(query.execute(database.db)).rejects.toThrow(/only added to/)
    await sql`alter table config_audit disable trigger user`.execute(database.db)
    await change!.execute(database.db)
    await sql`alter table config_audit enable trigger user`.execute(database.db)
    expect(await publishing.verifyAudit()).toMatchObject({ ok: false, brokenAt: 2 })
    const page = await publishing.audit({ limit: 2 })
    expect(page.rows.map((row) => row.id)).toEqual([page.total, page.total - 1])
    expect((await publishing.audit({ before: 3, limit: 5 })).rows.map((row) => row.id)).toEqual([2, 1])
  })

  test('what a test forces stands on what was checked, and goes again', async () => {
    const forced = await publishing.publishUnchecked(testActor, {
      'screen/other': null,
      'screen/home.home': { kind: 'screen', body: 'no' },
    })
    expect(forced).toMatchObject({ number: 2, kind: 'forced', from: 1 })
    expect(stage.shown[0]?.stable.documents.get('screen/home.home')?.canonical).toBe('{"body":"no","kind":"screen"}')
    await publishing.publishUnchecked(testActor, { 'screen/other': null })
    expect(stage.shown[0]?.stable.documents.get('screen/home.home')?.canonical).toContain('home.title')
    expect(await publishing.restore(testActor)).toMatchObject({ number: 4, kind: 'rollback', from: 1 })
    expect((await publishing.restore(testActor)).number).toBe(4)
  })
})
