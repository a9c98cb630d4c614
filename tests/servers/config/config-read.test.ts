import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '#config-server/release.rules.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { Manifest } from '#language/publish/release.ts'
import { type ConfigRoot, createConfigRoot } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, runConfig } from '#tests/support/servers/config-server.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

let folder: ConfigRoot
let running: RunningConfig
beforeAll(async () => {
  folder = await createConfigRoot()
  running = await runConfig(folder.root)
})
afterAll(async () => {
  await running.stop()
  await folder.remove()
})
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => ask(running.origin, path, { headers, method })
const manifest = async (locale = 'en') => (await get(`/config/manifest?caps=x&segment=all&locale=${locale}`)).json<Manifest>()

/** Headers of every answer. */
function expectSafe(answer: Answer) {
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(answer.headers['x-powered-by']).toBeUndefined()
  expect(answer.headers['strict-transport-security']).toBeUndefined()
}

describe('GET /config/manifest', () => {
  test('is small, revalidated each time, and names its release', async () => {
    const answer = await get('/config/manifest?locale=en')
    const body = answer.json<Manifest>()
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
    })
    expect(answer.headers.etag).toBe(`"${body.release}-${body.hash}"`)
    expect(body).toMatchObject({ release: 1, locale: 'en' })
    expectSafe(answer)
  })

  test.for([
    ['en', 'en'],
    ['fr', 'fr'],
    ['FR', 'fr'],
    ['fra', 'fr'],
    ['fr-CA', 'fr'],
    ['zh-Hant-HK', 'hk'],
    ['zh-TW', 'hk'],
    ['xx', 'en'],
    ['', 'en'],
    ['../../etc', 'en'],
    ['__proto__', 'en'],
  ] as const)('locale %j gets %s', async ([asked, wanted]) => {
    expect((await manifest(encodeURIComponent(asked))).locale).toBe(wanted)
  })

  test('without parameters the language is English', async () => {
    expect((await get('/config/manifest')).json()).toMatchObject({ locale: 'en' })
  })

  test('inlines the home screen with its prompt and texts, not the other screen', async () => {
    const { documents, texts, inline } = await manifest('fr')
    const has = (key: keyof typeof documents) => Object.hasOwn(inline, documents[key]!.sha256)
    expect([has('app/app'), has('routes/routes'), has('theme/theme'), has('screen/home.home'), has('prompt/leave')]).toEqual(
      Array(5).fill(true),
    )
    expect(has('screen/other')).toBe(false)
    expect(inline[texts.home!]).toEqual({ title: 'Home fr', leave: 'Leave fr' })
    expect(inline[texts.engine!]).toEqual({ retry: 'Again fr' })
    expect(Object.hasOwn(inline, texts.other!)).toBe(false)
  })

  test.for([
    ['the tag itself', (tag: string) => tag, 304],
    ['weak', (tag: string) => `W/${tag}`, 304],
    ['one of several', (tag: string) => `"a", ${tag} , "b"`, 304],
    ['any', () => '*', 304],
    ['another', () => '"1-0000000000000000"', 200],
    ['part of it', (tag: string) => tag.slice(0, -2), 200],
    ['without its quotes', (tag: string) => tag.replaceAll('"', ''), 200],
  ] as const)('If-None-Match: %s → %i', async ([, header, status]) => {
    const tag = (await get('/config/manifest')).headers.etag!
    const answer = await get('/config/manifest', { 'if-none-match': header(tag) })
    expect(answer.status).toBe(status)
    expect(answer.headers.etag).toBe(tag)
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    if (status === 200) return expectSafe(answer)
    expect(answer.body.length).toBe(0)
    const names = Object.keys(answer.headers).filter((name) => !['connection', 'date', 'keep-alive'].includes(name))
    expect(names.sort()).toEqual(['cache-control', 'etag', 'report-ticket', 'vary'])
  })

  test.for([
    ['caps too long', `caps=${'a'.repeat(65)}`],
    ['segment too long', `segment=${'a'.repeat(201)}`],
    ['locale too long', `locale=${'a'.repeat(36)}`],
    ['a name twice', 'locale=en&locale=fr'],
  ] as const)('%s is refused', async ([, query]) => {
    const answer = await get(`/config/manifest?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ code: 4000, msg: 'parameter_error', data: null, name: 'parameter_error' })
    expectSafe(answer)
  })

  test.for([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('%s holds the same', async ([encoding, unpack]) => {
    const plain = await get('/config/manifest?locale=fr')
    const packed = await get('/config/manifest?locale=fr', { 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(unpack(packed.body).toString()).toBe(plain.text)
    expect(packed.body.length).toBeLessThan(plain.body.length)
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  test('HEAD has the headers and no body', async () => {
    const head = await get('/config/manifest', {}, 'HEAD')
    expect([head.status, head.body.length, Number(head.headers['content-length']) > 100]).toEqual([200, 0, true])
  })
})

describe('GET /config/documents/<sha256>.json', () => {
  test('every address of a manifest gives the content of its hash, for ever', async () => {
    const { documents, texts } = await manifest('fr')
    const addresses = [...Object.values(documents).map((entry) => entry.sha256), ...Object.values(texts)]
    expect(addresses.length).toBeGreaterThan(8)
    for (const sha of addresses) {
      const answer = await get(`/config/documents/${sha}.json`)
      expect(answer.status).toBe(200)
      expect(sha256(answer.text)).toBe(sha)
      expect(canonical(answer.json())).toBe(answer.text)
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'application/json; charset=utf-8',
      })
      expectSafe(answer)
    }
  })

  test.for([
    ['/config/documents/'],
    [`/config/documents/${'0'.repeat(64)}.json`],
    [`/config/documents/${'0'.repeat(64)}`],
    [`/config/documents/${'A'.repeat(64)}.json`],
    ['/config/documents/..%2f..%2fpackage.json'],
    ['/config/documents/%2e%2e/%2e%2e/package.json'],
    ['/config/documents/../../package.json'],
    ['/config/documents/....//package.json'],
    ['/config/documents/%00.json'],
    ['/config/documents/__proto__.json'],
    ['/config/documents/a/b.json'],
    ['/config'],
    ['/config/'],
    ['/config/nothing'],
    ['/config/manifest/more'],
    ['/test/release'],
  ] as const)('%s is a 404 in JSON', async ([path]) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.json()).toEqual({ code: 4004, msg: 'not_found', data: null, name: 'not_found' })
    expect(answer.headers['cache-control']).toBe('no-store')
    expectSafe(answer)
  })

  test('an invalid address is a client error', async () => {
    const answer = await get('/config/documents/%E0%A4%A.json')
    expect([answer.status, answer.json().name]).toEqual([400, 'parameter_error'])
    expectSafe(answer)
  })
})

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s is refused everywhere', async (method) => {
  for (const path of ['/config/manifest', '/config/events', `/config/documents/${'0'.repeat(64)}.json`]) {
    const answer = await get(path, {}, method)
    expect([answer.status, answer.headers.allow, answer.json().name]).toEqual([405, 'GET, HEAD', 'method_not_allowed'])
    expectSafe(answer)
  }
})

test('behind a trusted proxy with TLS, browsers are told to stay on https', async () => {
  const answer = await get('/config/manifest', { 'x-forwarded-proto': 'https' })
  expect(answer.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

test('requests above the rate limit of an address get a time to retry, and other addresses are not affected', async () => {
  const clock = { now: 1_795_000_000_000 }
  const readLimit = { requests: 3, seconds: 10, loopbackRequests: 1_000 }
  const limited = await runConfig(folder.root, { readLimit, now: () => clock.now })
  try {
    const read = async (ip: string, path = '/config/manifest?locale=en') => {
      const { status, headers } = await ask(limited.origin, path, { headers: { 'x-forwarded-for': ip } })
      return [status, headers['retry-after']]
    }
    const paths = ['/config/manifest?locale=en', '/config/manifest', `/config/documents/${'0'.repeat(64)}.json`]
    for (const path of paths) expect((await read('203.0.113.9', path))[0]).not.toBe(429)
    const over = [...paths, '/config/events', '/config/revisions']
    for (const path of over) expect(await read('203.0.113.9', path)).toEqual([429, '10'])
    expect(await read('203.0.113.10')).toEqual([200, undefined])
    clock.now += 10_000
    expect(await read('203.0.113.9')).toEqual([200, undefined])
  } finally {
    await limited.stop()
  }
})
