import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { ConfigServerOptions } from '#config-server/app.ts'
import type { BrokenSources } from '#config-server/broken-sources.ts'
import type { Manifest } from '#language/publish/release.ts'
import { type ConfigRoot, createConfigRoot, documents } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, runConfig } from '#tests/support/servers/config-server.ts'
import { ask, listenTo } from '#tests/support/servers/http.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(
  options: Partial<ConfigServerOptions> = {},
  changes: Record<string, unknown> = {},
): Promise<{ folder: ConfigRoot; running: RunningConfig }> {
  const folder = await createConfigRoot(changes)
  ends.push(folder.remove)
  const running = await runConfig(folder.root, options)
  ends.push(running.stop)
  return { folder, running }
}
async function listen(running: RunningConfig) {
  const stream = await listenTo(running.origin, '/config/events')
  ends.push(stream.close)
  return stream
}
const manifest = async (running: RunningConfig, query = '') => (await ask(running.origin, `/config/manifest?${query}`)).json<Manifest>()
const retitled = (key: string) => ({
  ...(documents['schemas/screens/home.json'] as object),
  body: [{ id: 'words', widget: 'text', props: { text: { $t: key } } }],
})
const sourcesOf = (changes: Record<string, unknown>) =>
  Object.entries({ ...documents, ...changes }).map(([file, doc]) => ({ file, text: `${JSON.stringify(doc, null, 2)}\n` }))

describe('GET /config/events', () => {
  test('sends the live release at once and each new one when it is published', async () => {
    const { running } = await start()
    const stream = await listen(running)
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'x-content-type-options': 'nosniff' })
    const first = JSON.parse(await stream.next('release'))
    expect(first).toEqual({ release: 1, hash: (await manifest(running)).hash })
    await running.config.publishFiles(sourcesOf({ 'schemas/screens/home.json': retitled('other.title') }))
    const second = JSON.parse(await stream.next('release'))
    expect(second).toEqual({ release: 2, hash: (await manifest(running)).hash })
    expect(second.hash).not.toBe(first.hash)
    expect(stream.received()).toMatch(/^retry: \d{4}\n\n/)
  })

  test('publishing the same set again gives no release and no event', async () => {
    const { running } = await start()
    const stream = await listen(running)
    await stream.next('release')
    await running.config.publishFiles(sourcesOf({}))
    await pause(100)
    expect(stream.received().match(/event: release/g)).toHaveLength(1)
    expect((await manifest(running)).release).toBe(1)
  })

  test('a comment keeps the connection awake', async () => {
    const { running } = await start({ heartbeatMs: 20 })
    const stream = await listen(running)
    await expect.poll(() => stream.received().match(/^: $/gm)?.length ?? 0).toBeGreaterThanOrEqual(2)
  })

  test('a client above the limit is refused; when one leaves there is room again', async () => {
    const { running } = await start({ eventClientsMax: 2 })
    const [one] = [await listen(running), await listen(running)]
    const refused = await ask(running.origin, '/config/events')
    expect([refused.status, refused.json().name, refused.headers['retry-after']]).toEqual([503, 'busy', '30'])
    one.close()
    await expect.poll(async () => (await listen(running)).status).toBe(200)
  })

  test('stopping ends every stream and refuses new ones', async () => {
    const { running } = await start()
    const stream = await listen(running)
    running.config.close()
    await stream.ended
    expect((await ask(running.origin, '/config/events')).status).toBe(503)
    expect((await ask(running.origin, '/config/manifest')).status).toBe(200)
  })
})

describe('releases', () => {
  test('a client with the old manifest can still read its documents', async () => {
    const { running } = await start()
    const old = (await manifest(running)).documents['screen/home.home']!.sha256
    await running.config.publishFiles(sourcesOf({ 'schemas/screens/home.json': retitled('other.title') }))
    expect((await manifest(running)).documents['screen/home.home']!.sha256).not.toBe(old)
    expect((await ask(running.origin, `/config/documents/${old}.json`)).status).toBe(200)
  })

  test('the old ETag is answered with the new release', async () => {
    const { running } = await start()
    const tag = (await ask(running.origin, '/config/manifest')).headers.etag!
    await running.config.publishFiles(sourcesOf({ 'schemas/screens/home.json': retitled('other.title') }))
    const answer = await ask(running.origin, '/config/manifest', { headers: { 'if-none-match': tag } })
    expect([answer.status, answer.json().release]).toEqual([200, 2])
  })

  const broken: [string, Record<string, unknown>, RegExp][] = [
    [
      'a widget that is not there',
      { 'schemas/screens/home.json': { ...retitled('home.title'), body: [{ id: 'a', widget: 'tetx', props: {} }] } },
      /home\.json:\d+ \/body\/0.*tetx.*text/,
    ],
    ['a member that is not known', { 'schemas/screens/home.json': { ...retitled('home.title'), bdy: [] } }, /home\.json:\d+ \/bdy.*body/],
    ['two documents of one name', { 'schemas/screens/again.json': retitled('home.title') }, /screen\/home\.home is already defined/],
  ]
  test.for(broken)('%s stops the publishing and changes nothing', async ([, changes, said]) => {
    const { running } = await start()
    const before = await ask(running.origin, '/config/manifest')
    const problem = (await running.config.publishFiles(sourcesOf(changes)).catch((error: unknown) => error)) as BrokenSources
    expect(problem.name).toBe('BrokenSources')
    expect(problem.message).toMatch(said)
    const after = await ask(running.origin, '/config/manifest')
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag])
  })

  test('a file that is no JSON stops the start and says where', async () => {
    const start_ = start({}, { 'schemas/screens/home.json': '{\n  "kind": "screen",\n  "id": \n}' })
    await expect(start_).rejects.toThrow(/schemas\/screens\/home\.json:4 .*not JSON/)
  })
  test('words that are no words stop the start and say where', async () => {
    const start_ = start({}, { 'locales/fr/home.json': '{\n  "title": "a",\n  "leave": [1]\n}' })
    await expect(start_).rejects.toThrow(/locales\/fr\/home\.json:3 \/leave/)
  })

  test('concurrent publishes run one after the other', async () => {
    const { running } = await start()
    const sets = ['home.title', 'other.title', 'home.leave', 'app.tabs'].map((key) =>
      sourcesOf({ 'schemas/screens/home.json': retitled(key) }),
    )
    const made = await Promise.all(sets.map((files) => running.config.publishFiles(files)))
    expect(made.map((one) => one.release)).toEqual([2, 3, 4, 5])
    expect((await manifest(running)).hash).toBe(made[3]!.hash)
  })
})

describe('while developing', () => {
  test('a saved file becomes a release, however the editor saves it', async () => {
    const { folder, running } = await start({ watch: true })
    const stream = await listen(running)
    await stream.next('release')
    await folder.write('schemas/screens/home.json', retitled('other.title'))
    expect(JSON.parse(await stream.next('release')).release).toBe(2)
    for (const [i, key] of ['home.title', 'home.leave'].entries()) {
      await folder.write('schemas/screens/home.json.new', retitled(key))
      await rename(join(folder.root, 'schemas/screens/home.json.new'), join(folder.root, 'schemas/screens/home.json'))
      expect(JSON.parse(await stream.next('release')).release).toBe(3 + i)
    }
    await folder.write('locales/fr/home.json', { title: 'Accueil', leave: 'Partir' })
    await stream.next('release')
    const { inline, texts } = await manifest(running, 'locale=fr')
    expect(inline[texts.home!]).toEqual({ title: 'Accueil', leave: 'Partir' })
  })

  test('a file in a new folder is seen', async () => {
    const { folder, running } = await start({ watch: true })
    const stream = await listen(running)
    await stream.next('release')
    await folder.write('schemas/prompts/deep/er/stay.json', { kind: 'prompt', id: 'stay', format: 1, title: { $t: 'home.leave' } })
    await folder.write('schemas/screens/home.json', { ...retitled('home.title'), enter: [{ confirm: 'stay' }] })
    await expect.poll(async () => (await manifest(running)).documents['prompt/stay']).toBeDefined()
  })

  test('a broken file leaves the last good release in place and is reported; its repair becomes a release', async () => {
    const { folder, running } = await start({ watch: true })
    const stream = await listen(running)
    const first = JSON.parse(await stream.next('release'))
    await folder.write('schemas/screens/home.json', '{ "kind": "screen", ')
    await expect.poll(() => running.said.join('\n')).toMatch(/schemas\/screens\/home\.json:1 /)
    expect((await manifest(running)).hash).toBe(first.hash)
    await folder.write('schemas/screens/home.json', retitled('other.title'))
    expect(JSON.parse(await stream.next('release')).release).toBe(2)
  })

  test('in development a missing text is shown in English with a mark; otherwise it is refused', async () => {
    const changes = { 'locales/fr/home.json': { title: 'Accueil' }, 'locales/hk/other.json': {} }
    const { running } = await start({ watch: true }, changes)
    const words = async (language: string, area: string) => {
      const { inline, texts } = await manifest(running, `locale=${language}`)
      return inline[texts[area]!] ?? (await ask(running.origin, `/config/documents/${texts[area]}.json`)).json()
    }
    expect(await words('fr', 'home')).toEqual({ title: 'Accueil', leave: '[en] Leave en' })
    expect(await words('hk', 'other')).toEqual({ title: '[en] Other en' })
    expect(running.said).toEqual([])
    await expect(start({}, changes)).rejects.toThrow('"home.leave" has no text in fr')
  })

  test('the server starts with broken files and serves as soon as they are repaired', async () => {
    const { folder, running } = await start({ watch: true }, { 'schemas/screens/home.json': '{' })
    const early = await ask(running.origin, '/config/manifest')
    expect([early.status, early.headers['retry-after']]).toEqual([503, '1'])
    const stream = await listen(running)
    await folder.write('schemas/screens/home.json', documents['schemas/screens/home.json'])
    expect(JSON.parse(await stream.next('release')).release).toBe(1)
  })
})

describe('/test/release', () => {
  const post = (running: RunningConfig, body: unknown) =>
    ask(running.origin, '/test/release', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('publishes a document without checks, removes one, and restores the files', async () => {
    const { running } = await start({ testHooks: true })
    const before = await manifest(running)
    const answer = await post(running, { documents: { 'screen/home.home': { kind: 'screen', body: 'no' }, 'screen/other': null } })
    expect([answer.status, answer.json().release]).toEqual([200, 2])
    const forced = await manifest(running)
    expect(forced.inline[forced.documents['screen/home.home']!.sha256]).toEqual({ kind: 'screen', body: 'no' })
    expect(forced.documents['screen/other']).toBeUndefined()
    expect(forced.documents['prompt/leave']).toEqual(before.documents['prompt/leave'])
    expect((await ask(running.origin, '/test/release', { method: 'DELETE' })).json()).toEqual({ release: 3, hash: before.hash })
    expect((await manifest(running)).documents).toEqual(before.documents)
  })

  test('a valid document publishes its dependencies too', async () => {
    const { running } = await start({ testHooks: true })
    await post(running, { documents: { 'screen/other': { ...(documents['schemas/screens/home.json'] as object), id: 'other' } } })
    const { documents: now } = await manifest(running)
    expect(now['screen/other']!.uses).toEqual(now['screen/home.home']!.uses)
    expect(now['screen/other']!.areas).toEqual(['home'])
  })

  test.for([
    ['no JSON', '{', 400],
    ['no documents', {}, 400],
    ['a list', { documents: [] }, 400],
    ['a key that is none', { documents: { '../x': {} } }, 400],
  ] as const)('%s is refused', async ([, body, status]) => {
    const { running } = await start({ testHooks: true })
    const answer = await post(running, body)
    expect(answer.status).toBe(status)
    expect((await manifest(running)).release).toBe(1)
  })

  test('does not exist without test hooks', async () => {
    const { running } = await start()
    expect((await post(running, { documents: {} })).status).toBe(404)
  })
})
