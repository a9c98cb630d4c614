import { afterEach, describe, expect, test } from 'vitest'
import { type Caps, capsOf } from '#config-server/serving/caps.rules.ts'
import { reportLimits } from '#config-server/serving/reports.rules.ts'
import type { Manifest } from '#language/publish/release.ts'
import { type ConfigRoot, createConfigRoot, documents } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, runConfig } from '#tests/support/servers/config-server.ts'
import { ask } from '#tests/support/servers/http.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const widget = (type: string, major = 1) => ({
  type,
  major,
  props: { type: 'object', properties: { text: { type: 'string', text: true }, tone: { type: 'string' } }, required: ['text'] },
  events: ['press'],
  slots: {},
  label: null,
  states: {},
})
const widgets = { icons: [], widgets: [widget('text'), widget('chart'), widget('list', 2)] }
/** The second screen with one widget; `show` adds an operator. */
const other = (name: string, show?: object) => ({
  kind: 'screen',
  id: 'other',
  format: 1,
  body: [{ id: 'words', widget: name, props: { text: { $t: 'other.title' } }, on: { press: [{ go: '/' }] }, ...(show && { show }) }],
})
const sourcesOf = (screen: object) =>
  Object.entries({ ...documents, 'schemas/screens/other.json': screen }).map(([file, doc]) => ({
    file,
    text: `${JSON.stringify(doc, null, 2)}\n`,
  }))
/** Four states of the same screen; each needs more than the previous one. */
const states = [other('text'), other('list'), other('list', { has: 'session.fiat' }), other('chart')]

async function start(place?: string): Promise<{ folder: ConfigRoot; running: RunningConfig }> {
  const folder = await createConfigRoot({ 'widgets/manifest.json': widgets, 'schemas/screens/other.json': states[0] })
  ends.push(folder.remove)
  const running = await runConfig(folder.root, place === undefined ? {} : { place })
  ends.push(running.stop)
  return { folder, running }
}
async function publishAll(running: RunningConfig): Promise<string[]> {
  const shas = [(await manifest(running)).documents['screen/other']!.sha256]
  for (const state of states.slice(1)) {
    await running.config.publishFiles(sourcesOf(state))
    shas.push((await manifest(running)).documents['screen/other']!.sha256)
  }
  return shas
}
const read = (running: RunningConfig, caps?: string, headers: Record<string, string> = {}) =>
  ask(running.origin, `/config/manifest?locale=en${caps === undefined ? '' : `&caps=${caps}`}`, { headers })
const manifest = async (running: RunningConfig, caps?: string) => (await read(running, caps)).json<Manifest>()
const post = (running: RunningConfig, path: string, body: unknown) =>
  ask(running.origin, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const old: [string, Caps, number][] = [
  ['the first build', capsOf({ format: 1, widgets: ['text@1'], operators: [], steps: ['go', 'confirm'] }), 0],
  ['one with lists', capsOf({ format: 1, widgets: ['text@1', 'list@2'], operators: [], steps: ['go', 'confirm'] }), 1],
  ['one with lists and operators', capsOf({ format: 1, widgets: ['text@1', 'list@2'], operators: ['has'], steps: ['go', 'confirm'] }), 2],
  ['the present one', capsOf({ format: 1, widgets: ['text@1', 'chart@1', 'list@2'], operators: ['has'], steps: ['go', 'confirm'] }), 3],
]

describe('an old build and a new document', () => {
  test.for(old)('%s gets the newest state that it can show', async ([, caps, state]) => {
    const { running } = await start()
    const shas = await publishAll(running)
    expect((await post(running, '/config/caps', caps)).status).toBe(204)
    const got = await manifest(running, caps.hash)
    expect(shas.indexOf(got.documents['screen/other']!.sha256)).toBe(state)
    expect(got.unknownBuild).toBeUndefined()
    expect(got.release).toBe(4)
    expect((await ask(running.origin, `/config/documents/${got.documents['screen/other']!.sha256}.json`)).status).toBe(200)
  })

  test('its answer has an ETag of its own and is not sent twice', async () => {
    const { running } = await start()
    await publishAll(running)
    const tags: (string | undefined)[] = []
    for (const [, caps] of old) {
      await post(running, '/config/caps', caps)
      const first = await read(running, caps.hash)
      const { release, hash } = first.json<Manifest>()
      expect(first.headers.etag).toBe(`"${release}-${hash}"`)
      const second = await read(running, caps.hash, { 'if-none-match': first.headers.etag! })
      expect([second.status, second.body.length]).toEqual([304, 0])
      tags.push(first.headers.etag)
    }
    expect(new Set(tags).size).toBe(4)
    expect(tags[3]).toBe((await read(running)).headers.etag)
  })

  test('an unknown build gets what every known build can show, and is asked to register', async () => {
    const { running } = await start()
    const shas = await publishAll(running)
    const got = await manifest(running, 'f'.repeat(64))
    expect(got.unknownBuild).toBe(true)
    expect(got.documents['screen/other']!.sha256).toBe(shas[3])
    const { etag } = (await read(running, 'f'.repeat(64))).headers
    expect(etag).not.toBe((await read(running)).headers.etag)
    await post(running, '/config/caps', old[0]![1])
    const known = await read(running, old[0]![1].hash, { 'if-none-match': etag! })
    expect([known.status, known.json<Manifest>().documents['screen/other']!.sha256]).toEqual([200, shas[0]])
  })

  test.for([
    ['no JSON', '{', 400],
    ['a list', [], 400],
    ['another hash', { ...old[0]![1], hash: old[1]![1].hash }, 400],
    ['more than a body may be', { ...old[0]![1], more: 'x'.repeat(70_000) }, 413],
  ] as const)('an invalid registration (%s) is refused and changes nothing', async ([, body, status]) => {
    const { running } = await start()
    const before = await read(running, old[0]![1].hash)
    expect((await post(running, '/config/caps', body)).status).toBe(status)
    const after = await read(running, old[0]![1].hash)
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag])
  })
})

describe('an old build whose widgets are of the same major', () => {
  const said = (more: object) => ({ ...other('text'), ...more })
  const toned = { id: 'words', widget: 'text', props: { text: { $t: 'other.title' }, tone: 'quiet' }, on: { press: [{ go: '/' }] } }
  const newest: [string, object, Partial<Caps>][] = [
    ['a prop that its widget does not know', said({ body: [toned] }), { props: ['text.text'] }],
    ['an outcome that it does not know', said({ errors: { not_found: { toast: true } } }), { outcomes: ['go'] }],
    [
      'a kind of format that it does not know',
      said({ body: [{ ...toned, props: { text: { $: "format('rate', session.kyc)" } } }] }),
      { words: ['format.amount'] },
    ],
  ]
  test.for(newest)('keeps the previous document before %s', async ([, screen, lacks]) => {
    const { running } = await start()
    const [before] = [(await manifest(running)).documents['screen/other']!.sha256]
    await running.config.publishFiles(sourcesOf(screen))
    const after = (await manifest(running)).documents['screen/other']!.sha256
    const caps = { format: 1, widgets: ['text@1', 'chart@1', 'list@2'] }
    const builds = [capsOf(caps), capsOf({ ...caps, ...lacks })]
    const got: string[] = []
    for (const build of builds) {
      await post(running, '/config/caps', build)
      got.push((await manifest(running, build.hash)).documents['screen/other']!.sha256)
    }
    expect(got).toEqual([after, before])
    expect(after).not.toBe(before)
  })
})

describe('after a restart', () => {
  test('after a restart numbers continue, old builds keep their documents, and registrations are known', async () => {
    const dir = 'numbers go on'
    const first = await start(dir)
    const shas = await publishAll(first.running)
    await post(first.running, '/config/caps', old[1]![1])
    await first.running.stop()
    ends.splice(ends.indexOf(first.running.stop), 1)

    const second = await start(dir)
    const now = await manifest(second.running)
    expect([now.release, now.documents['screen/other']!.sha256]).toEqual([5, shas[0]])
    await second.running.config.publishFiles(sourcesOf(states[3]!))
    const got = await manifest(second.running, old[1]![1].hash)
    expect([got.release, got.unknownBuild, got.documents['screen/other']!.sha256]).toEqual([6, undefined, shas[0]])
    expect((await ask(second.running.origin, `/config/documents/${shas[2]}.json`)).status).toBe(200)
  })
  test('the same documents are the same release', async () => {
    const dir = 'the same documents'
    const first = await start(dir)
    const before = await manifest(first.running)
    await first.running.stop()
    ends.splice(ends.indexOf(first.running.stop), 1)
    expect(await manifest((await start(dir)).running)).toEqual(before)
  })
})

describe('GET /config/revisions', () => {
  const earlier = (running: RunningConfig, query: string) => ask(running.origin, `/config/revisions?${query}`)
  test('the server names the previous revision, skipping broken ones and ones that the build cannot show', async () => {
    const { running } = await start()
    const shas = await publishAll(running)
    await post(running, '/config/caps', old[1]![1])
    const rows: [string, string | undefined][] = [
      [`document=screen/other&broken=${shas[3]}`, shas[2]],
      [`document=screen/other&broken=${shas[3]},${shas[2]}`, shas[1]],
      [`document=screen/other&broken=${shas[3]}&caps=${old[1]![1].hash}`, shas[1]],
      [`document=screen/other&broken=${'f'.repeat(64)}`, shas[3]],
      [`document=screen/other&broken=${shas.join(',')}`, undefined],
      ['document=screen/none', undefined],
    ]
    for (const [query, wanted] of rows) {
      const answer = await earlier(running, query)
      expect([query, answer.status, answer.json().sha256]).toEqual([query, wanted === undefined ? 404 : 200, wanted])
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })
  test.for([
    '',
    'document=screen',
    'document=screen/a&broken=x',
    'document=../x/y',
    `document=screen/a&broken=${Array(9).fill('a'.repeat(64)).join(',')}`,
  ])('%s cannot be read', async (query) => {
    const { running } = await start()
    expect((await earlier(running, query)).status).toBe(400)
  })
})

describe('/config/reports', () => {
  const batch = (more: object = {}) => ({
    release: 1,
    hash: 'a'.repeat(16),
    caps: '',
    items: [{ kind: 'broken', document: 'screen/other', revision: 'a'.repeat(12), node: 'words', code: 'text', count: 2 }],
    ...more,
  })
  test('are counted by release, document and node', async () => {
    const { running } = await start()
    for (let i = 0; i < 2; i++) expect((await post(running, '/config/reports', batch())).status).toBe(204)
    const answer = await ask(running.origin, '/config/reports')
    expect(answer.json<{ rows: unknown[] }>().rows).toEqual([{ release: 1, ...batch().items[0], count: 4, batches: 2 }])
    expect(running.config.reports()).toMatchObject({ batches: 2, broken: 4 })
  })
  test.for([
    ['no JSON', '{', 400],
    ['a sentence', batch({ items: [{ ...batch().items[0], code: 'Ann has 5 BTC' }] }), 400],
    ['too many', batch({ items: Array(reportLimits.itemsMax + 1).fill(batch().items[0]) }), 400],
    ['too big', batch({ more: 'x'.repeat(20_000) }), 413],
  ] as const)('%s is refused and not counted', async ([, body, status]) => {
    const { running } = await start()
    expect((await post(running, '/config/reports', body)).status).toBe(status)
    expect(running.config.reports()).toMatchObject({ batches: 0, broken: 0 })
  })
  test.for([
    ['names the client', { 'x-forwarded-for': '203.0.113.9' }],
    ['names the client in its own header', { 'x-real-ip': '203.0.113.9' }],
    ['passes the public host', { host: 'app.example.com' }],
  ] as const)('are not shown to strangers behind a proxy of this machine that %s', async ([, headers]) => {
    const { running } = await start()
    const answer = await ask(running.origin, '/config/reports', { headers })
    expect([answer.status, answer.json().name]).toEqual([403, 'forbidden'])
  })
})
