import { describe, expect, test, vi } from 'vitest'
import type { DocumentKey } from '#language/publish/release.ts'
import { count, documentOf, fakeServer, later, settle, startConfig as start } from '#renderer/config/config-fixture.ts'

describe('loading', () => {
  test('asks with caps, segment and locale; inline documents are here at once', async () => {
    const fetch = vi.fn(fakeServer().fetch)
    const { config } = start({ fetch })
    expect(config.current()).toBeUndefined()
    const manifest = await config.load('en')
    expect(fetch.mock.calls[0]?.[0]).toBe('/config/manifest?caps=caps1&segment=s1&locale=en')
    expect(config.current()).toBe(manifest)
    expect(config.document('app/app')).toMatchObject({ kind: 'app' })
    expect(config.document('screen/home')).toBeUndefined()
    expect(fetch).toHaveBeenCalledTimes(1)
  })
  test('a language that was asked for by its tag is asked for by its own name from then on, and waits while the customer is busy like any release', async () => {
    const free = later<void>()
    const { config, server, says } = start({ busy: { free: () => free.promise } })
    const byTag = server.manifest
    server.manifest = (locale) => byTag(locale.split('-')[0] ?? '')
    await config.load('en-US')
    config.watch(() => undefined)
    says('open')
    await settle()
    expect(server.headers.at(-1)).toEqual({ 'If-None-Match': '"1-h1"' })
    server.publish({ documents: { 'screen/home': 2 } })
    says('release', { release: 2, hash: 'h2' })
    await settle()
    expect(config.current()?.release).toBe(1)
    free.give()
    await settle()
    expect(config.current()?.release).toBe(2)
  })
  test('the newest ticket of each of the last releases is kept, also where nothing changed', async () => {
    const { config, server, says } = start()
    await config.load('en')
    expect(config.tickets()).toEqual(['1.ticket1'])
    config.watch(() => undefined)
    says('open')
    await settle()
    const [renewed, ...more] = config.tickets()
    expect([renewed?.startsWith('1.ticket'), renewed === '1.ticket1', more]).toEqual([true, false, []])
    for (const release of [2, 3, 4]) {
      server.publish({})
      says('release', { release, hash: `h${release}` })
      await settle()
    }
    expect(config.tickets().map((ticket) => ticket.split('.')[0])).toEqual(['4', '3', '2'])
  })
  test('a document is fetched once, however many ask, and keeps its identity', async () => {
    const { config, server } = start()
    await config.load('en')
    const [a, b] = await Promise.all([config.fetchDocument('screen/home'), config.fetchDocument('screen/home')])
    expect(a).toBe(b)
    expect(await config.fetchDocument('screen/home')).toBe(a)
    expect(config.document('screen/home')).toBe(a)
    expect(count(server.asked, 'screen-home')).toBe(1)
  })
  test('texts come by area, in the locale; an area that does not exist is empty', async () => {
    const { config, server } = start()
    await config.load('en')
    expect(await config.fetchTexts('market')).toEqual({ title: 'en-market-1' })
    expect(config.texts('market')).toEqual({ title: 'en-market-1' })
    expect(await config.fetchTexts('nothing')).toEqual({})
    expect(config.texts('nothing')).toBeUndefined()
    expect(count(server.asked, 'documents/')).toBe(1)
  })
  const bad: [string, () => Promise<Response>, string][] = [
    ['404', async () => new Response('no', { status: 404 }), 'answer_unreadable'],
    ['500', async () => new Response('{}', { status: 500 }), 'answer_unreadable'],
    ['HTML', async () => new Response('<html>'), 'answer_unreadable'],
    ['cut', async () => new Response('{"kind":"screen","id":"ho'), 'answer_unreadable'],
    ['a list', async () => new Response('[]'), 'answer_unreadable'],
    ['another document', async () => Response.json({ kind: 'screen', id: 'market', format: 1 }), 'answer_unreadable'],
    ['no network', async () => Promise.reject(new TypeError('failed')), 'network_failed'],
  ]
  test.each(bad)('a document that answers %s is a problem and is asked for again', async (_, answer, name) => {
    const { config, server } = start()
    await config.load('en')
    server.answers.set('screen-home', answer)
    await expect(config.fetchDocument('screen/home')).rejects.toMatchObject({ code: 0, name })
    server.answers.clear()
    expect(await config.fetchDocument('screen/home')).toMatchObject({ id: 'home' })
  })
  test.each(['screen/none', 'constructor', '__proto__'])('%s is not in the release', async (key) => {
    const { config, server } = start()
    await config.load('en')
    expect(config.document(key as DocumentKey)).toBeUndefined()
    await expect(config.fetchDocument(key as DocumentKey)).rejects.toMatchObject({ name: 'not_found' })
    expect(count(server.asked, 'documents/')).toBe(0)
  })
})

describe('a release', () => {
  async function shown() {
    const all = start()
    await all.config.load('en')
    await all.config.fetchDocument('screen/home')
    await all.config.fetchTexts('market')
    const seen: { release: number; changed: string[]; areas: string[]; home: unknown; words: unknown }[] = []
    const off = all.config.watch((manifest, changed, areas) =>
      seen.push({ release: manifest.release, changed, areas, home: all.config.document('screen/home'), words: all.config.texts('market') }),
    )
    return { ...all, seen, off }
  }
  const event = (release: number) => ({ release, hash: `h${release}` })

  test('brings what is in use before anybody hears of it, and nothing else', async () => {
    const { server, config, says, seen } = await shown()
    server.publish({ documents: { 'screen/home': 2, 'screen/market': 2 }, texts: { market: 2, wallet: 2 } })
    const held = later<Response>()
    server.answers.set('screen-home-2', () => held.promise)
    server.asked.length = 0
    says('release', event(2))
    await settle()
    expect(seen).toEqual([])
    expect(config.current()?.release).toBe(1)
    expect(config.document('screen/home')).toMatchObject({ version: 1 })
    held.give(Response.json(documentOf('screen/home', 2)))
    await settle()
    expect(seen).toEqual([
      {
        release: 2,
        changed: ['screen/home', 'screen/market'],
        areas: ['market', 'wallet'],
        home: documentOf('screen/home', 2),
        words: { title: 'en-market-2' },
      },
    ])
    expect(server.asked.sort()).toEqual(['documents/en-market-2.json', 'documents/screen-home-2.json', 'manifest'])
  })
  test('brings what a new revision needs, through all levels, before it is shown', async () => {
    const { server, config, says } = await shown()
    server.publish({ documents: { 'screen/home': 2, 'form/pay': 1, 'validation/code': 1, 'validation/other': 1, 'prompt/sure': 1 } })
    server.uses = { 'screen/home': ['form/pay', 'prompt/sure'], 'form/pay': ['validation/code'] }
    says('release', event(2))
    await settle()
    expect(config.current()?.release).toBe(2)
    const here = ['form/pay', 'validation/code', 'validation/other', 'prompt/sure'] as const
    expect(here.map((key) => config.document(key) !== undefined)).toEqual([true, true, false, false])
  })
  test('what did not change keeps its identity', async () => {
    const { server, config, says, seen } = await shown()
    const before = config.document('screen/home')
    server.publish({ documents: { 'screen/market': 2 } })
    says('release', event(2))
    await settle()
    expect(seen.map(({ changed, areas }) => [changed, areas])).toEqual([[['screen/market'], []]])
    expect(config.document('screen/home')).toBe(before)
  })
  test('one document that does not come keeps the whole old set, and trying goes on', async () => {
    const { server, config, says, seen, pass } = await shown()
    server.publish({ documents: { 'screen/home': 2, 'app/app': 2 } })
    server.answers.set('screen-home-2', async () => new Response('', { status: 500 }))
    says('release', event(2))
    await settle()
    await pass(10_000)
    await settle()
    expect(seen).toEqual([])
    expect([config.document('app/app'), config.document('screen/home')]).toMatchObject([{ version: 1 }, { version: 1 }])
    server.answers.clear()
    await pass(5_000)
    await settle()
    expect(seen.map(({ release }) => release)).toEqual([2])
    expect(config.document('app/app')).toMatchObject({ version: 2 })
  })
  test('another one while the first is on its way: the last wins and the first is never shown', async () => {
    const { server, says, seen } = await shown()
    const held = later<Response>()
    server.publish({ documents: { 'screen/home': 2 } })
    server.answers.set('screen-home-2', () => held.promise)
    says('release', event(2))
    await settle()
    server.publish({ documents: { 'screen/home': 3 } })
    says('release', event(3))
    await settle()
    held.give(Response.json(documentOf('screen/home', 2)))
    await settle()
    expect(seen.map(({ release, home }) => [release, home])).toEqual([[3, documentOf('screen/home', 3)]])
  })
  test('a screen that is being fetched while its document changes gets the new one', async () => {
    const { server, config, says } = await shown()
    const held = later<Response>()
    server.answers.set('screen-market-1', () => held.promise)
    const market = config.fetchDocument('screen/market')
    server.publish({ documents: { 'screen/market': 2 } })
    says('release', event(2))
    await settle()
    held.give(Response.json(documentOf('screen/market', 1)))
    expect(await market).toMatchObject({ version: 2 })
  })
  test('an event of the release that is shown asks for nothing', async () => {
    const { server, says } = await shown()
    server.asked.length = 0
    says('release', event(1))
    await settle()
    expect(server.asked).toEqual([])
  })
  test('asking again sends the ETag; 304 changes nothing and tells nobody', async () => {
    const { server, config, says, seen } = await shown()
    const before = config.current()
    server.headers.length = 0
    says('open')
    await settle()
    expect(server.headers).toEqual([{ 'If-None-Match': '"1-h1"' }])
    expect(config.current()).toBe(before)
    expect(seen).toEqual([])
  })
  test('after the last watcher has gone nobody listens', async () => {
    const { streams, off } = await shown()
    off()
    off()
    expect(streams.map(({ closed }) => closed)).toEqual([true])
  })
})

describe('another language', () => {
  test('texts in use are here in the new one before anything changes', async () => {
    const { config, server } = start()
    await config.load('en')
    await config.fetchTexts('market')
    const home = await config.fetchDocument('screen/home')
    const held = later<Response>()
    server.answers.set('fr-market-1', () => held.promise)
    const change = config.setLocale('fr')
    await settle()
    expect([config.current()?.locale, config.texts('market')]).toEqual(['en', { title: 'en-market-1' }])
    held.give(Response.json({ title: 'Marché' }))
    expect((await change).locale).toBe('fr')
    expect(config.texts('market')).toEqual({ title: 'Marché' })
    expect(config.document('screen/home')).toBe(home)
  })
  test('several wishes for the same language are one request', async () => {
    const { config, server } = start()
    await config.load('en')
    server.asked.length = 0
    await Promise.all([config.setLocale('fr'), config.setLocale('fr')])
    await config.setLocale('fr')
    expect(server.asked).toEqual(['manifest'])
  })
  test('the last request wins', async () => {
    const { config, server } = start()
    await config.load('en')
    const held = later<Response>()
    server.answers.set('manifest', () => held.promise)
    const first = config.setLocale('fr')
    server.answers.clear()
    const second = config.setLocale('ja')
    held.give(Response.json(server.manifest('fr')))
    expect((await first).locale).toBe('ja')
    expect((await second).locale).toBe('ja')
  })
  test('a failure leaves the language, and a later request works', async () => {
    const { config, server } = start()
    await config.load('en')
    server.answers.set('manifest', async () => Promise.reject(new TypeError('x')))
    await expect(config.setLocale('fr')).rejects.toMatchObject({ name: 'network_failed' })
    expect(config.current()?.locale).toBe('en')
    server.answers.clear()
    expect((await config.setLocale('fr')).locale).toBe('fr')
  })
  test('a release that comes meanwhile does not lose the request', async () => {
    const { config, server, says } = start()
    await config.load('en')
    config.watch(() => {})
    const held = later<Response>()
    server.answers.set('manifest', () => held.promise)
    const change = config.setLocale('fr')
    server.answers.clear()
    server.publish({ documents: { 'app/app': 2 } })
    says('release', { release: 2, hash: 'h2' })
    await settle()
    expect(await change).toMatchObject({ locale: 'fr', release: 2 })
    held.give(Response.json({}))
  })
})
