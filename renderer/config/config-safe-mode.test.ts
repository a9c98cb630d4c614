import { describe, expect, test } from 'vitest'
import type { Manifest } from '#language/publish/release.ts'
import { createBusy } from '#renderer/actions/busy.ts'
import { count, documentOf, fakeServer, settle, startConfig as start } from '#renderer/config/config-fixture.ts'

describe('a release that the app cannot live with', () => {
  test('is not shown, and the server is not asked for it every second', async () => {
    const refused: number[] = []
    const accepts = ({ release }: Manifest) => {
      if (release === 2) refused.push(release)
      return release !== 2
    }
    const { config, server, says, pass } = start({ accepts })
    await config.load('en')
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    server.publish({ documents: { 'app/app': 2 } })
    says('release', { release: 2, hash: 'h2' })
    await settle()
    await pass(20_000)
    await settle()
    expect([config.current()?.release, seen, refused]).toEqual([1, [], [2]])
    server.publish({ documents: { 'app/app': 3 } })
    says('release', { release: 3, hash: 'h3' })
    await settle()
    expect(seen).toEqual([3])
  })
  test('does not come back out of a kept set', async () => {
    const rescue = async (_locale: string, fits: (set: unknown) => Manifest | undefined) => fits(fakeServer().manifest('en'))
    const { config } = start({ accepts: () => false, rescue })
    await expect(config.load('en')).rejects.toMatchObject({ name: 'release_unfit' })
    expect(config.current()).toBeUndefined()
  })
})

describe('a release while something is held', () => {
  const held = () => {
    const busy = createBusy()
    return { busy, ...start({ busy }) }
  }
  test('waits for the next page; only the newest of several is shown', async () => {
    const { config, server, says, busy } = held()
    await config.load('en')
    await config.fetchDocument('screen/home')
    const seen: number[] = []
    config.watch((manifest) => seen.push(manifest.release))
    const end = busy.begin('form')
    for (const release of [2, 3]) {
      server.publish({ documents: { 'screen/home': release } })
      says('release', { release, hash: `h${release}` })
      await settle()
    }
    expect([seen, config.document('screen/home')]).toEqual([[], documentOf('screen/home', 1)])
    end()
    await settle()
    expect(seen).toEqual([])
    busy.moved()
    await settle()
    expect([seen, config.document('screen/home')]).toEqual([[3], documentOf('screen/home', 3)])
  })
  test('is not shown any more when it was taken back meanwhile', async () => {
    const { config, server, says, busy } = held()
    await config.load('en')
    config.watch(() => undefined)
    const end = busy.begin('form')
    server.publish({ documents: { 'screen/home': 2 } })
    says('release', { release: 2, hash: 'h2' })
    await settle()
    // A rollout that is stopped: what was there before is the newest again, under its own number.
    Object.assign(server, { release: 1, documents: { ...server.documents, 'screen/home': 1 } })
    says('release', { release: 1, hash: 'h1' })
    await settle()
    end()
    busy.moved()
    await settle()
    expect(config.current()?.release).toBe(1)
  })
  test('another language is shown all the same: the customer asked for it', async () => {
    const { config, busy } = held()
    await config.load('en')
    busy.begin('form')
    expect((await config.setLocale('fr')).locale).toBe('fr')
  })
})

describe('a document that is put back', () => {
  const one = { sha256: 'screen-home-1', uses: [], areas: [] }
  const amended = (manifest: Manifest): Manifest => ({ ...manifest, documents: { ...manifest.documents, 'screen/home': one } })
  test('shows in the release, alone, and stays when the same release is looked at again', async () => {
    let amend = (manifest: Manifest) => manifest
    const { config, server, says } = start({ amend: (manifest) => amend(manifest) })
    server.publish({ documents: { 'screen/home': 2 } })
    await config.load('en')
    await config.fetchDocument('screen/home')
    const seen: string[][] = []
    config.watch((_manifest, changed) => seen.push(changed))
    amend = amended
    await config.reconsider({ 'screen-home-1': documentOf('screen/home', 1) })
    expect([config.document('screen/home'), seen]).toEqual([documentOf('screen/home', 1), [['screen/home']]])
    expect(count(server.asked, 'screen-home-1')).toBe(0)
    says('open')
    await settle()
    expect(config.document('screen/home')).toEqual(documentOf('screen/home', 1))
    expect(seen).toHaveLength(1)
  })
  test('that cannot be had leaves everything as it was', async () => {
    let amend = (manifest: Manifest) => manifest
    const { config, server } = start({ amend: (manifest) => amend(manifest) })
    server.publish({ documents: { 'screen/home': 2 } })
    await config.load('en')
    await config.fetchDocument('screen/home')
    amend = amended
    server.answers.set('screen-home-1', async () => new Response('', { status: 500 }))
    await expect(config.reconsider({})).rejects.toMatchObject({ name: 'answer_unreadable' })
    expect(config.document('screen/home')).toEqual(documentOf('screen/home', 2))
  })
  test('waits for what is held', async () => {
    const busy = createBusy()
    const { config } = start({ busy, amend: amended })
    await config.load('en')
    const seen: string[][] = []
    config.watch((_manifest, changed) => seen.push(changed))
    const end = busy.begin('form')
    void config.reconsider({})
    await settle()
    end()
    await settle()
    expect(seen).toEqual([])
  })
})
