import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { BrokenSources } from '#config-server/broken-sources.ts'
import { configMigrations } from '#config-server/migrations.ts'
import { type Publishing, testActor } from '#config-server/publishing/publishing.ts'
import { makeRelease } from '#config-server/release.rules.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import { type Database, write } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { emptyConfig } from '#tests/support/servers/config-database.ts'
import {
  codeOf,
  dan,
  home,
  homeWords,
  type PublishingStage,
  published,
  stagePublishing,
  words,
} from '#tests/support/servers/publishing-stage.ts'

const frenchWords = 'locales/fr/home.json'

onEngines('files of the build', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await engine.open(configMigrations)
  })
  beforeEach(() => emptyConfig(database))
  /** A start of the server with these files. */
  async function start(changes: Record<string, string | null> = {}, checker?: string): Promise<PublishingStage & { was: unknown }> {
    const stage = await stagePublishing(database, 'open', undefined, checker)
    return { ...stage, was: await stage.importSources(stage.changed(changes), false) }
  }
  const live = (publishing: Publishing) => publishing.live().stable

  test('an empty store takes them as release 1; the same again change nothing', async () => {
    const first = await start()
    expect(live(first.publishing)).toMatchObject({ number: 1, kind: 'files', author: 'system', approver: null, state: 'live' })
    const { files } = await first.publishing.files({ release: 1 })
    expect(Object.entries(files)).toEqual(first.files.map(({ file, text }) => [file, text]))
    const second = await start()
    expect([second.was, live(second.publishing).number]).toEqual([{ is: 'known' }, 1])
    expect((await second.publishing.audit({})).total).toBe(1)
  })

  test('the same are checked again by another build only, and at every start by one that runs from sources', async () => {
    await start({}, 'one')
    const checked = async (checker?: string, changes = {}) => {
      const { was, checked } = await start(changes, checker)
      return [was, checked.sets]
    }
    const known = { is: 'known' }
    expect(await checked('one')).toEqual([known, 0])
    expect(await checked('two')).toEqual([known, 1])
    expect(await checked('two')).toEqual([known, 0])
    expect(await checked('one')).toEqual([known, 1])
    expect(await checked()).toEqual([known, 1])
    expect(await checked('one')).toEqual([known, 1])
    expect(await checked('one', { [homeWords]: words('newer') })).toMatchObject([{ is: 'release' }, 1])
    expect(await checked('one', { [homeWords]: words('newer') })).toEqual([known, 0])
    expect(await checked('one')).toMatchObject([{ is: 'release' }, 1])
  })

  test('those that an earlier build took in meanwhile are checked', async () => {
    await start({}, 'one')
    const newer = { [homeWords]: words('newer') }
    // An earlier build does not write what checked.
    const { checked_by } = await database.db.selectFrom('config_live').select('checked_by').executeTakeFirstOrThrow()
    await start(newer)
    await write(1, database.db.updateTable('config_live').set({ checked_by }))
    expect((await start(newer, 'one')).checked.sets).toBe(1)
  })

  test('where operators published, the same are checked once; what they published from the same files is checked', async () => {
    const first = await start({}, 'one')
    await published(first.publishing, 'ours', homeWords, words('ours'))
    expect((await start({}, 'one')).checked.sets).toBe(0)
    expect((await start({}, 'two')).checked.sets).toBe(1)
    expect((await start({}, 'two')).checked.sets).toBe(0)
    await published(first.publishing, 'back', homeWords, first.files.find(({ file }) => file === homeWords)!.text)
    expect((await start({}, 'two')).checked.sets).toBe(1)
  })

  test('the same are checked while the live release is damaged', async () => {
    await start({}, 'one')
    await write(1, database.db.updateTable('config_release').set({ documents: '{"screen/home.home":{"sha256":"x"}}' }))
    expect((await start({}, 'one')).checked.sets).toBe(1)
  })

  test('others become a release where nobody published since', async () => {
    await start()
    const second = await start({ [homeWords]: words('newer') })
    expect(live(second.publishing)).toMatchObject({ number: 2, kind: 'files', from: 1 })
    const third = await start({ [homeWords]: words('newest') })
    expect(live(third.publishing).number).toBe(3)
    expect(await third.publishing.drafts()).toEqual([])
  })

  test('others wait as a draft where operators published: what is live stays', async () => {
    const first = await start()
    await published(first.publishing, 'ours', homeWords, words('ours'))
    expect((await start()).was).toEqual({ is: 'known' })
    const second = await start({ [homeWords]: words('of the build'), [frenchWords]: words('Accueil') })
    expect(second.was).toMatchObject({ is: 'draft', conflicts: 1 })
    expect(live(second.publishing).number).toBe(2)
    const [draft] = await second.publishing.drafts()
    expect(draft).toMatchObject({ author: 'system', base: 2, stale: false, paths: [frenchWords], state: 'open' })
    expect(draft?.note).toContain(homeWords)
    const { files } = await second.publishing.files({ draft: draft!.id })
    expect([files[homeWords], files[frenchWords]]).toEqual([words('ours'), words('Accueil')])
    const again = await start({ [homeWords]: words('of the build'), [frenchWords]: words('Accueil') })
    expect([again.was, (await again.publishing.drafts()).filter((one) => one.state === 'open').length]).toEqual([{ is: 'known' }, 1])
  })

  test('files that bring nothing but what is live are no draft', async () => {
    const first = await start()
    await published(first.publishing, 'ours', homeWords, words('ours'))
    expect((await start({ [homeWords]: words('ours') })).was).toEqual({ is: 'known' })
    const next = await start({ [homeWords]: words('theirs') })
    expect([next.was, live(next.publishing)]).toMatchObject([{ is: 'release' }, { number: 3, kind: 'files' }])
  })

  test('somebody who watches gets what is saved, whoever published; not while a release is being rolled out', async () => {
    const first = await start()
    await published(first.publishing, 'ours', homeWords, words('ours'))
    await first.importSources(first.changed({ [homeWords]: words('saved') }), true)
    expect(live(first.publishing)).toMatchObject({ number: 3, kind: 'files' })
    await published(first.publishing, 'staged', homeWords, words('staged'), { rollout: { percent: 5, segment: {} } })
    expect(await first.importSources(first.changed({ [homeWords]: words('saved again') }), true)).toMatchObject({ is: 'draft' })
    expect(live(first.publishing).number).toBe(3)
  })

  test('what a test forced does not outlive the process', async () => {
    const first = await start()
    await first.publishing.publishUnchecked(testActor, { 'screen/other': null })
    const second = await start()
    expect(live(second.publishing)).toMatchObject({ number: 3, kind: 'rollback', from: 1 })
    expect(second.shown[0]?.stable.documents.has('screen/other')).toBe(true)
  })

  test('broken ones are refused and change nothing', async () => {
    const first = await start()
    const broken = first.changed({ [home]: '{' })
    const problem = (await first.importSources(broken, false).catch((error: unknown) => error)) as BrokenSources
    expect([problem.name, problem.problems[0]?.file]).toEqual(['BrokenSources', home])
    const large = first.changed({ [frenchWords]: ' '.repeat(publishingLimits.fileBytesMax + 1) })
    const many = Array.from({ length: publishingLimits.filesPerSetMax }, (_, i) => ({ file: `schemas/screens/s${i}.json`, text: '{}' }))
    for (const files of [large, [...first.files, ...many]]) {
      const refused = (await first.importSources(files, false).catch((error: unknown) => error)) as BrokenSources
      expect(refused.problems.map((one) => one.check)).toEqual(['limits'])
    }
    expect(live(first.publishing).number).toBe(1)
  })

  const damages: [string, (stage: PublishingStage) => Promise<unknown>][] = [
    [
      'a document that is no document any more',
      ({ shown }) => {
        const { sha256 } = shown[0]!.stable.documents.get('screen/home.home')!
        return write(1, database.db.updateTable('config_text').set({ text: '{"kind":"screen"' }).where('sha256', '=', sha256))
      },
    ],
    [
      'a release that names what there is not',
      () =>
        write(
          1,
          database.db.updateTable('config_release').set({ documents: '{"screen/home.home":{"sha256":"x"}}' }).where('number', '=', 2),
        ),
    ],
    [
      'a release whose documents are others, under a right hash',
      async ({ shown }) => {
        const { stable } = shown[0]!
        const other = stable.documents.get('screen/other')!
        const documents = [...stable.documents.values()].map((one) =>
          one.key === 'screen/home.home' ? { ...other, key: one.key as 'screen/home.home' } : one,
        )
        const written = Object.fromEntries(
          documents.map(({ key, sha256, requires, uses, areas }) => [key, { sha256, requires, uses, areas }]),
        )
        const change = { documents: JSON.stringify(written), served: makeRelease(2, documents, stable.texts).hash }
        await write(1, database.db.updateTable('config_release').set(change).where('number', '=', 2))
      },
    ],
  ]
  test.for(damages)('%s, written past the server: the last good set is served and one can go back to it', async ([, damage]) => {
    const first = await start()
    const text = first.files.find((one) => one.file === home)!.text
    await published(first.publishing, 'good', home, text.replace('home.title', 'home.leave'))
    await damage(first)
    const second = await stagePublishing(database, 'open')
    expect(second.shown[0]?.stable.release).toBe(1)
    expect(second.publishing.live().stable.number).toBe(2)
    expect(await codeOf(second.publishing.rollback(dan, 2, { reason: 'x' }))).toBe('state_wrong')
    expect(await second.publishing.rollback(dan, 1, { reason: 'the live one is damaged' })).toMatchObject({ number: 3, state: 'live' })
    expect(second.shown[0]?.stable.release).toBe(3)
    // A server that was running all along serves the new release too.
    await first.publishing.tick()
    expect(first.shown[0]?.stable.release).toBe(3)
  })
})
