import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isLocalRequest, mayUseTestHooks } from '#server-kit/http/local-request.ts'

const request = (headers: Record<string, string | undefined>, remoteAddress = '127.0.0.1', httpVersion = '1.1') =>
  ({ socket: { remoteAddress }, httpVersion, headers: { host: '127.0.0.1:8080', ...headers } }) as unknown as IncomingMessage

test.each<[name: string, req: IncomingMessage]>([
  ['a program', request({})],
  ['a program on ::1', request({ host: '[::1]:8080' }, '::1')],
  ['a program on a mapped address', request({ host: 'localhost:8080' }, '::ffff:127.0.0.1')],
  ['a program that leaves the port out', request({ host: 'LOCALHOST' })],
])('%s of this machine is local', (_, req) => {
  expect([isLocalRequest(req), mayUseTestHooks(req)]).toEqual([true, true])
})

test.each<[name: string, req: IncomingMessage]>([
  ['another machine', request({}, '203.0.113.9')],
  ['another machine that names a loopback host', request({ host: 'localhost' }, '10.0.0.1')],
  ['a proxy that passes the public host', request({ host: 'app.example.com' })],
  ['a name that begins like a loopback host', request({ host: 'localhost.example.com' })],
  ['a name that begins like a loopback address', request({ host: '127.0.0.1.example.com' })],
  ['nobody knows whom', request({ host: undefined })],
  ['a proxy that says nothing and speaks HTTP/1.0', request({}, '127.0.0.1', '1.0')],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'].map(
    (name): [string, IncomingMessage] => [`a proxy that sends ${name}`, request({ [name]: 'x' })],
  ),
])('%s is not local', (_, req) => {
  expect([isLocalRequest(req), mayUseTestHooks(req)]).toEqual([false, false])
})

test.each<[name: string, headers: Record<string, string>, may: boolean]>([
  ['a page of this server', { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }, true],
  ['an address that was typed in', { 'sec-fetch-site': 'none' }, true],
  ['a form of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  ['a form of another site, in an older browser', { origin: 'https://evil.example' }, false],
  ['a page without an origin of its own', { origin: 'null' }, false],
  ['a page of another port', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }, false],
  ['a link of another site', { 'sec-fetch-site': 'cross-site' }, false],
])('test hooks and %s', (_, headers, may) => {
  expect(mayUseTestHooks(request(headers))).toBe(may)
})
