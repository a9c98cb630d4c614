import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createStatic } from '#server-kit/http/static.ts'
import { ask } from '#tests/support/servers/http.ts'

let parent: string
let server: Server
let origin: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tessera-static-'))
  await mkdir(join(parent, 'app/assets'), { recursive: true })
  const files: Record<string, string> = {
    'secret.txt': 'secret',
    'app/index.html': '<!doctype html>',
    'app/assets/a-1234.js': 'plain',
    'app/assets/a-1234.js.br': 'br',
    'app/assets/a-1234.js.gz': 'gz',
    'app/assets/a-1234.js.map': 'map',
    'app/icon.svg': '<svg/>',
    'app/sw.js': 'sw',
    'app/frame.html': '<!doctype html>',
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(parent, file), text)
  server = createServer(createStatic(join(parent, 'app'), createSecurity({ trustProxy: [] })))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(parent, { recursive: true, force: true })
})

test.for([
  ['/', 'text/html; charset=utf-8', 'no-cache', true],
  ['/?x=1', 'text/html; charset=utf-8', 'no-cache', true],
  ['/assets/a-1234.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', true],
  ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache', true],
  ['/frame.html', 'text/html; charset=utf-8', 'no-cache', true],
  ['/icon.svg', 'image/svg+xml; charset=utf-8', 'public, max-age=3600', false],
] as const)('%s is %s, %s', async ([path, type, cache, page]) => {
  const answer = await ask(origin, path)
  expect(answer.status).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'cache-control': cache,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  expect(answer.headers['content-security-policy']).toMatch(page ? /script-src 'self'/ : /sandbox/)
  const again = await ask(origin, path, { headers: { 'if-none-match': answer.headers.etag! } })
  expect([again.status, again.body.length]).toEqual([304, 0])
})

test.for([
  ['br, gzip', 'br', 'br'],
  ['gzip', 'gzip', 'gz'],
  ['br;q=0, gzip', 'gzip', 'gz'],
  ['', undefined, 'plain'],
] as const)('Accept-Encoding %j gets %s', async ([accepted, encoding, text]) => {
  const answer = await ask(origin, '/assets/a-1234.js', { headers: { 'accept-encoding': accepted } })
  expect([answer.headers['content-encoding'], answer.text]).toEqual([encoding, text])
})

test.for([
  '/index.html',
  '/nothing',
  '/assets',
  '/assets/',
  '/assets/a-1234.js.br',
  '/assets/a-1234.js.gz',
  '/assets/a-1234.js.map',
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%5csecret.txt',
  '//secret.txt',
  '/constructor',
  '/.git/config',
])('%s is not there', async (path) => {
  const answer = await ask(origin, path)
  expect([answer.status, answer.text]).toEqual([404, 'Not found\n'])
  expect(answer.headers['content-security-policy']).toMatch(/sandbox/)
})

test('only reading is allowed', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await ask(origin, '/', { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
  const head = await ask(origin, '/', { method: 'HEAD' })
  expect([head.status, head.body.length]).toEqual([200, 0])
})
