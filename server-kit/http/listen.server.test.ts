import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer, serverLimits } from '#server-kit/http/listen.ts'

const server = createHttpServer((_req, res) => void res.end('answered'))
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Everything that comes back on a connection on which this was sent. */
const sent = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (part) => {
      answer += part
      if (answer.includes('answered')) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

test.each<[what: string, bytes: string, status: number, name: string]>([
  ['one Host', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 200, ''],
  ['HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n', 200, ''],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'body_unreadable'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'body_unreadable'],
  ['two equal Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'body_unreadable'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'body_unreadable'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(serverLimits.headerBytesMax)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('%s', async (_what, bytes, status, name) => {
  const answer = await sent(bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`))
  if (name) expect(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))).toMatchObject({ name, data: null })
  else expect(answer).toContain('answered')
})

test('a request that takes too long', () => {
  let answer = ''
  const socket = { writable: true, end: (text: string) => void (answer = text) }
  server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket as never)
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(answer).toContain('"request_too_slow"')
})
