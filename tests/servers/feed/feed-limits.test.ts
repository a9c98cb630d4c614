import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { feedLimits } from '#contract/feed.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openFeed } from '#tests/support/feed/feed-client.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.end())

const isQuota = (message: { action: string }) => message.action === 'getQuota'

/** Asserts that the server still serves a new client. */
async function stillServes(): Promise<void> {
  const client = await stage.client()
  client.send({ action: 'getQuota' })
  await client.next(isQuota)
}

describe('the door', () => {
  test.each([
    ['a foreign page', '/ws', 'https://evil.example', 403],
    ['a page without an origin of its own', '/ws', 'null', 403],
    ['a token in the address', '/ws?token=secret', undefined, 403],
    ['another path', '/wsx', undefined, 404],
  ])('%s is refused before the upgrade', async (_name, path, origin, status) => {
    await expect(openFeed(stage.url.replace('/ws', path), { origin })).rejects.toThrow(`refused with ${status}`)
    expect(stage.feed.counts().clients).toBe(0)
  })

  test.each([
    ['no page at all', undefined],
    ['a page of the same host', 'same'],
    ['a listed page', 'https://app.example.com'],
  ])('%s may connect', async (_name, origin) => {
    const own = await openStage(['BTCUSDT'], ['https://app.example.com'])
    try {
      const client = await own.client({ origin: origin === 'same' ? own.url.replace('ws:', 'http:').replace('/ws', '') : origin })
      client.send({ action: 'getQuota' })
      await client.next(isQuota)
    } finally {
      await own.end()
    }
  })

  test('a name that somebody else points here opens nothing, and stands in the log', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const own = await openStage(['BTCUSDT'], ['https://app.example.com'], { log })
    const from = (host: string, origin: string) => own.client({ origin, headers: { host } })
    try {
      await expect(from('evil.example', 'http://evil.example')).rejects.toThrow('refused with 403')
      await expect(from('evil.example', 'https://evil.example')).rejects.toThrow('refused with 403')
      await from('127.0.0.1:1', 'https://app.example.com')
      await from('app.example.com', 'https://app.example.com')
      expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
        { event: 'access_refused', route: 'socket', problem: 'forbidden', network: '127.0.0/24', msg: 'access was refused' },
      ])
    } finally {
      await own.end()
    }
  })

  test('compression is never negotiated', async () => {
    const client = await stage.client({ perMessageDeflate: true })
    expect(client.socket.extensions).toBe('')
  })

  test('a request without a handshake is refused and has no other effect', async () => {
    const status = await new Promise((done) => {
      request(stage.url.replace('ws:', 'http:'), { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }, (response) =>
        done(response.resume().statusCode),
      ).end()
    })
    expect(status).toBe(400)
    await stillServes()
  })

  test('a refused connection that breaks off has no other effect', async () => {
    const { port } = new URL(stage.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /ws?x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    socket.resetAndDestroy()
    await stillServes()
  })
})

describe('bad frames', () => {
  const lines = readFileSync('tests/data/bad-inputs.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; value: unknown; note: string })
  const texts = lines.filter((line) => line.kind === 'ws-frame' && typeof line.value === 'string')

  test('the table has such rows', () => {
    expect(texts.length).toBeGreaterThan(8)
  })

  test.each(texts.map(({ value, note }) => [value as string, note]))(
    '%s (%s) is answered with an error and the socket stays open',
    async (text) => {
      const client = await stage.client()
      client.send(text)
      const answer = await client.next((message) => message.action === 'ping' || message.action === 'checkToken')
      expect(answer).toHaveProperty('error')
      client.send({ action: 'getQuota' })
      await client.next(isQuota)
    },
  )

  test.each<[string, (socket: WebSocket) => void, number[]]>([
    ['4 KB and one byte', (socket) => socket.send('x'.repeat(feedLimits.messageBytesMax + 1)), [1009]],
    ['64 KB and one byte', (socket) => socket.send('x'.repeat(65_537)), [1009]],
    ['binary', (socket) => socket.send(Buffer.from('fffe', 'hex')), [1003]],
    ['broken UTF-8', (socket) => socket.send(Buffer.from('c328', 'hex'), { binary: false }), [1007]],
    [
      '20,000 fragments',
      (socket) => Array.from({ length: 20_000 }, (_, i) => socket.send('x', { fin: i === 19_999 }, () => {})),
      [1008, 1009],
    ],
    ['1,000 messages in a second', (socket) => Array.from({ length: 1_000 }, () => socket.send('{"action":"ping"}', () => {})), [1008]],
    ['10,000 pings', (socket) => Array.from({ length: 10_000 }, () => socket.ping(undefined, undefined, () => {})), [1008]],
  ])('%s closes the socket', async (_name, send, codes) => {
    const client = await stage.client()
    client.socket.on('error', () => {})
    send(client.socket)
    expect(codes).toContain(await client.closed)
    await stillServes()
  })

  test('a frame that announces 100 MB is refused before any of it is stored', async () => {
    const client = await stage.client()
    // Of this thread only; the memory of the process is that of other tests too.
    const before = process.memoryUsage().arrayBuffers
    const raw = (client.socket as unknown as { _socket: import('node:net').Socket })._socket
    const header = Buffer.alloc(14)
    header.writeUInt8(0x81, 0)
    header.writeUInt8(0x80 | 127, 1)
    header.writeBigUInt64BE(104_857_601n, 2)
    raw.write(header)
    expect(await client.closed).toBe(1009)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
    await stillServes()
  })

  test('the tenth invalid message closes the socket', async () => {
    const client = await stage.client()
    for (let i = 0; i < 10; i++) {
      client.send('{')
      stage.later(250)
      await sleep(5)
    }
    expect(await client.closed).toBe(1008)
    expect(client.messages).toHaveLength(9)
  })
})

test('five messages a second are allowed without a time limit', async () => {
  const client = await stage.client()
  for (let i = 0; i < 40; i++) {
    client.send({ action: 'ping' })
    stage.later(200)
    await sleep(2)
  }
  await eventually(() => client.messages.length).toBe(40)
  expect(client.socket.readyState).toBe(WebSocket.OPEN)
})

test('the 201st subscription is refused, the others stay', async () => {
  const symbols = Array.from({ length: 220 }, (_, i) => `S${i}USDT`)
  const own = await openStage(symbols)
  try {
    const client = await own.client()
    client.send({ action: 'getQuota', symbols: symbols.slice(0, 199) })
    client.send({ action: 'getDepth', symbol: 'S0USDT' })
    await client.next((message) => message.action === 'getDepth')
    client.send({ action: 'kline', symbol: 'S0USDT', period: '1m' })
    client.send({ action: 'getQuota', symbols: symbols.slice(0, 200) })
    await expect
      .poll(() => client.messages.filter((message) => 'error' in message))
      .toMatchObject([
        { error: 'too_many_requests', of: 'kline' },
        { error: 'too_many_requests', of: 'getQuota' },
      ])
    client.clear()
    own.market.tick('S198USDT', '5')
    own.beat()
    await client.next(isQuota)
    client.send({ action: 'getDepth', symbol: 'NOSUCHUSDT' })
    expect(await client.next((message) => 'error' in message)).toMatchObject({ error: 'symbol_unknown', of: 'getDepth' })
  } finally {
    await own.end()
  }
})

test('a subscription is given back when its client leaves, also one without a known symbol', async () => {
  const own = await openStage(['BTCUSDT'])
  try {
    for (const symbols of [['BTCUSDT'], ['NOSUCH'], []]) {
      const client = await own.client()
      client.send({ action: 'getQuota', symbols })
      await expect.poll(() => own.feed.counts().quoteGroups).toBe(1)
      client.socket.terminate()
      await expect.poll(() => own.feed.counts()).toMatchObject({ clients: 0, quoteGroups: 0 })
    }
  } finally {
    await own.end()
  }
})

test('a client without a sign of life for a minute is closed; one that answers pings stays', async () => {
  const [alive, dead] = [await stage.client(), await stage.client()]
  dead.socket.pause()
  stage.later(50_000)
  const ponged = new Promise((done) => alive.socket.once('ping', done))
  stage.heartbeat()
  await ponged
  await sleep(50)
  stage.later(15_000)
  stage.beat()
  await eventually(() => stage.feed.counts()).toMatchObject({ clients: 1, closedIdle: 1 })
  expect(alive.socket.readyState).toBe(WebSocket.OPEN)
})

describe('sockets of one address', () => {
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  let own: Stage
  beforeEach(async () => {
    own = await openStage(['BTCUSDT'], [], { limits: { perAddress: 3, refused: 1 } })
  })
  afterEach(() => own.end())

  test('one socket too many is closed with 1013 and a reason; other addresses can connect, and so can the next socket when one has left', async () => {
    const [first] = [await own.client(from('203.0.113.9')), await own.client(from('203.0.113.9')), await own.client(from('203.0.113.9'))]
    const over = await own.client(from('203.0.113.9'))
    const [status, reason] = await new Promise<[number, string]>((done) =>
      over.socket.once('close', (code, text) => done([code, text.toString()])),
    )
    expect([status, reason]).toEqual([1013, 'too many sockets of this address'])
    expect(own.feed.counts()).toMatchObject({ clients: 3, closedLimit: 1 })
    const other = await own.client(from('203.0.113.10'))
    other.send({ action: 'getQuota' })
    await other.next(isQuota)
    first.socket.close()
    await first.closed
    await eventually(() => own.feed.counts().clients).toBe(3)
    const next = await own.client(from('203.0.113.9'))
    next.send({ action: 'getQuota' })
    await next.next(isQuota)
  })

  test('a client that ignores the close is refused at the upgrade, with a time to wait', async () => {
    const all = [
      await own.client(from('2001:db8:1:2::1')),
      await own.client(from('2001:db8:1:2::2')),
      await own.client(from('2001:db8:1:2::3')),
    ]
    expect(all).toHaveLength(3)
    const deaf = await own.client(from('2001:db8:1:2::4'))
    deaf.socket.pause()
    const refusal = await new Promise<[number | undefined, string | undefined]>((done) => {
      const late = new WebSocket(own.url, from('2001:db8:1:2::5'))
      late.on('error', () => undefined)
      late.on('unexpected-response', (asked, answer) => {
        asked.destroy()
        done([answer.statusCode, answer.headers['retry-after']])
      })
    })
    expect(refusal).toEqual([429, '30'])
    expect(own.feed.counts().refusedUpgrades).toBe(1)
  })

  test('three hundred sockets of one address are allowed', async () => {
    const crowd = await Promise.all(Array.from({ length: 300 }, () => stage.client(from('203.0.113.9'))))
    expect(stage.feed.counts()).toMatchObject({ clients: crowd.length, closedLimit: 0 })
  })
})

test('a session may have so many sockets; the next is closed with 1008, and a socket that changes its token makes room', async () => {
  const own = await openStage(['BTCUSDT'], [], { limits: { perSession: 2 } })
  try {
    const shown = async () => {
      const client = await own.client()
      client.send({ action: 'checkToken', token: 'good' })
      return client
    }
    const isAnswer = (message: { action: string }) => message.action === 'checkToken'
    const [first, second] = [await shown(), await shown()]
    await Promise.all([first.next(isAnswer), second.next(isAnswer)])
    expect(await (await shown()).closed).toBe(1008)
    await eventually(() => own.feed.counts()).toMatchObject({ clients: 2, members: 2, closedLimit: 1 })
    first.clear()
    first.send({ action: 'checkToken' })
    await first.next(isAnswer)
    expect(await (await shown()).next(isAnswer)).toMatchObject({ data: { uid: '7' } })
    second.socket.close()
    await second.closed
    await eventually(() => own.feed.counts().members).toBe(1)
    expect(await (await shown()).next(isAnswer)).toMatchObject({ data: { uid: '7' } })
  } finally {
    await own.end()
  }
})
