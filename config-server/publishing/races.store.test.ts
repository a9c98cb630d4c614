import { beforeAll, beforeEach, expect, test } from 'vitest'
import { configMigrations } from '#config-server/migrations.ts'
import { guardActor, type Publishing } from '#config-server/publishing/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onPostgres } from '#tests/support/databases/on-postgres.ts'
import { withHeld } from '#tests/support/held.ts'
import { emptyConfig } from '#tests/support/servers/config-database.ts'
import {
  ann,
  approved,
  codeOf,
  dan,
  homeWords,
  type PublishingStage,
  published,
  stagePublishing,
  words,
} from '#tests/support/servers/publishing-stage.ts'

onPostgres('operators at once', ({ open }) => {
  let database: Database
  let stage: PublishingStage
  let publishing: Publishing
  beforeAll(async () => {
    database = await open(configMigrations)
  })
  beforeEach(async () => {
    await emptyConfig(database)
    stage = await stagePublishing(database)
    publishing = stage.publishing
  })

  test('drafts that are made at once do not pass how many may be open', async () => {
    const { openDraftsMax } = publishingLimits
    const rows = Array.from({ length: openDraftsMax - 3 }, (_, i) => ({
      name: `draft ${i}`,
      note: '',
      base: 1,
      author: `author ${i % 9}`,
      state: 'open',
      hands: '[]',
      created_at: 1,
      updated_at: 1,
    }))
    await database.db
      .insertInto('config_draft')
      .values(rows as never)
      .execute()
    const made = await Promise.all(Array.from({ length: 12 }, (_, i) => codeOf(publishing.create(ann, { name: `more ${i}` }))))
    expect(made.filter((one) => one === 'too_large')).toHaveLength(9)
    expect(made.filter((one) => typeof one === 'object')).toHaveLength(3)
  })

  test.each([
    ['wrong', '{', words('Hi')],
    ['right', words('Hi'), '{'],
  ])('what is found in a draft that was %s a moment ago is not remembered for what it was', async (_what, before, after) => {
    let between: (() => Promise<unknown>) | undefined
    const slow = withHeld(database, 'config_schedule', async () => {
      const save = between
      between = undefined
      await save?.()
    })
    const looking = (await stagePublishing(slow, 'open')).publishing
    const { id } = await publishing.create(ann, { name: 'Words' })
    const put = async (text: string) => {
      const version = (await publishing.files({ draft: id })).changed[homeWords]?.version ?? 0
      await publishing.save(ann, id, { path: homeWords, text, version })
    }
    await put(before)
    const { hash } = await publishing.draft(id)
    // The row of the draft was read, its texts were not yet.
    between = () => put(after)
    const report = await looking.check(id)
    expect([report.hash === hash, report.ok]).toEqual([false, after !== '{'])
    await put(before)
    expect(await looking.check(id)).toMatchObject({ hash, ok: before !== '{' })
  })

  test.each([
    ['cancelled', undefined],
    ['moved to another time', 60_000],
  ])('what was scheduled and is %s while it fires does not go live', async (_what, inMs) => {
    const { id, hash } = await approved(publishing, 'later', homeWords, words('later'))
    await publishing.publish(dan, id, { hash, reason: 'at night', at: stage.clock.now + 1_000 })
    let between: (() => Promise<unknown>) | undefined = () =>
      inMs === undefined
        ? publishing.cancelSchedule(dan, id, 'not tonight')
        : publishing.publish(dan, id, { hash, reason: 'tomorrow', at: stage.clock.now + inMs })
    // It has read what is due and looks at the draft.
    const slow = withHeld(database, 'config_flow_run', async () => {
      const change = between
      between = undefined
      await change?.()
    })
    stage.clock.now += 1_000
    const firing = (await stagePublishing(slow, 'open', stage.clock)).publishing
    await firing.tick()
    expect(between).toBeUndefined()
    await publishing.tick()
    expect(publishing.live().stable.number).toBe(1)
    expect((await publishing.draft(id)).schedule?.state).toBe(inMs === undefined ? undefined : 'waiting')
    expect((await publishing.audit({ action: 'schedule.refused' })).total).toBe(0)
    stage.clock.now += inMs ?? 0
    await publishing.tick()
    expect(publishing.live().stable.number).toBe(inMs === undefined ? 1 : 2)
  })

  test('what was decided about one release does nothing to the next', async () => {
    const rollout = { percent: 10, segment: {} }
    const first = await published(publishing, 'first', homeWords, words('One'), { rollout })
    await publishing.stop(dan, 'not this one')
    const second = await published(publishing, 'second', homeWords, words('Two'), { rollout })
    const late = [
      publishing.stop(guardActor, 'it breaks', first.number),
      publishing.rollout(dan, { complete: true, release: first.number, reason: 'it is fine' }),
      publishing.rollback(guardActor, 1, { reason: 'it breaks', from: 1 }),
    ]
    expect(await Promise.all(late.map(codeOf))).toEqual(late.map(() => 'state_wrong'))
    expect(publishing.live()).toMatchObject({ stable: { number: 1 }, candidate: { number: second.number } })
    await publishing.rollout(dan, { complete: true, release: second.number, reason: 'it is fine' })
    expect(await codeOf(publishing.rollback(guardActor, 1, { reason: 'it breaks', from: first.number }))).toBe('state_wrong')
    expect(await publishing.rollback(guardActor, 1, { reason: 'it breaks', from: second.number })).toMatchObject({
      kind: 'rollback',
      from: 1,
    })
  })
})
