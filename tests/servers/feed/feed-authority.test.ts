import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { accountMigrations } from '#api-server/account/account.migration.ts'
import { createSessions, type Sessions } from '#api-server/account/sessions/sessions.ts'
import { authorityEveryMs } from '#api-server/feed/authority.ts'
import type { Database } from '#server-kit/db/db.ts'
import { type Bus, createLocalBus } from '#server-kit/ops/bus.ts'
import { systemClock } from '#server-kit/ops/clock.ts'
import { createLog, type Log } from '#server-kit/ops/log.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { FeedClient } from '#tests/support/feed/feed-client.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'

const log = createLog('silent')
const caller = { lang: 'en', token: undefined, agent: '', ip: '127.0.0.1' }
const isToken = (message: { action: string }) => message.action === 'checkToken'
const members = (stage: Stage) => stage.feed.counts().members

/** Sends a token and removes the answer. */
async function show(client: FeedClient, token: string): Promise<unknown> {
  client.send({ action: 'checkToken', v: 2, caps: ['private'], token })
  const answer = await client.next(isToken)
  client.clear()
  return 'data' in answer ? (answer.data as { uid: unknown }).uid : (answer as { error: string }).error
}

/** Two nodes on one database, connected by the bus with `joined`; without it the bus is down. */
async function twoNodes(
  database: Database,
  joined: boolean,
  work: (nodes: { sessions: Sessions; stage: Stage }[]) => Promise<void>,
): Promise<void> {
  const [one, two] = [createLocalBus(log), createLocalBus(log)] as const
  const heard: Bus = joined ? one : two
  const nodes = await Promise.all(
    [one, heard].map(async (bus) => {
      const sessions = createSessions({ database, clock: systemClock, bus, log })
      return { sessions, stage: await openStage(['BTCUSDT'], [], { sessions }) }
    }),
  )
  try {
    await work(nodes)
  } finally {
    for (const { stage } of nodes) await stage.end()
  }
}

onEngines('sessions of sockets', (engine) => {
  const account = (id: number) => ({
    id,
    email: `u${id}@example.com`,
    mobile: null,
    password_hash: 'x',
    pay_password_hash: null,
    nickname: 'ann',
    head_portrait: '',
    signature: '',
    credit_score: 100,
    level: 0,
    status: 'active' as const,
    lang: 'en',
    invite_code: `code${id}`,
    invited_by: null,
    withdraw_hold_until: null,
    demo: false,
    created_at: 1,
  })
  const open = async () => {
    const database = await engine.open(accountMigrations)
    await database.db
      .insertInto('account')
      .values([account(7), account(8)])
      .execute()
    return database
  }
  const login = (database: Database, sessions: Sessions, id = 7) => database.transaction((tx) => sessions.open(tx, id, caller))

  /** Ways in which a session ends. */
  const ends: [string, (database: Database, sessions: Sessions, id: string) => Promise<unknown>][] = [
    ['logout', (_database, sessions, id) => sessions.end(7, id)],
    [
      'the end of all others',
      async (database, sessions) => {
        await database.transaction((tx) => sessions.endOthers(tx, 7, undefined))
        sessions.tell(7)
      },
    ],
  ]
  test.each(ends)('%s on one node turns the sockets of every node into visitors’; others stay', async (_name, end) => {
    const database = await open()
    await twoNodes(database, true, async (nodes) => {
      const { sessions } = nodes[0]!
      const [mine, other] = [await login(database, sessions), await login(database, sessions, 8)]
      const clients = await Promise.all(nodes.map(({ stage }) => stage.client()))
      const stranger = await nodes[1]!.stage.client()
      for (const client of clients) expect(await show(client, mine.token)).toBe('7')
      expect(await show(stranger, other.token)).toBe('8')
      await end(database, sessions, mine.id)
      for (const client of clients) expect(await client.next(isToken)).toEqual({ action: 'checkToken', error: 'unauthorized' })
      expect(nodes.map(({ stage }) => members(stage))).toEqual([0, 1])
      expect(stranger.messages).toEqual([])
      for (const client of clients) {
        client.clear()
        expect(client.socket.readyState).toBe(WebSocket.OPEN)
        client.send({ action: 'getQuota' })
        await client.next((message) => message.action === 'getQuota')
        expect(await show(client, mine.token)).toBe('unauthorized')
      }
    })
  })

  test('with the bus down between them the other node finds out by the database', async () => {
    const database = await open()
    expect(authorityEveryMs).toBeLessThan(5_000)
    await twoNodes(database, false, async (nodes) => {
      const mine = await login(database, nodes[0]!.sessions)
      const client = await nodes[1]!.stage.client()
      expect(await show(client, mine.token)).toBe('7')
      nodes[1]!.stage.lookUp()
      await nodes[0]!.sessions.end(7, mine.id)
      await sleep(50)
      expect(members(nodes[1]!.stage)).toBe(1)
      nodes[1]!.stage.lookUp()
      expect(await client.next(isToken)).toEqual({ action: 'checkToken', error: 'unauthorized' })
      expect(members(nodes[1]!.stage)).toBe(0)
    })
  })

  test('bindUid has no effect: other customers’ sessions and messages do not reach this socket, and its own session’s end does', async () => {
    const database = await open()
    await twoNodes(database, true, async ([node]) => {
      const { sessions, stage } = node!
      const [mine, other] = [await login(database, sessions), await login(database, sessions, 8)]
      const [client, visitor] = [await stage.client(), await stage.client()]
      expect(await show(client, mine.token)).toBe('7')
      for (const one of [client, visitor]) one.send({ action: 'bindUid', uid: '8' })
      for (const one of [client, visitor]) one.send({ action: 'ping' })
      await visitor.next((message) => message.action === 'ping')
      expect(members(stage)).toBe(1)
      await sessions.end(8, other.id)
      await sleep(50)
      expect(members(stage)).toBe(1)
      expect(client.messages.filter(isToken)).toEqual([])
      await sessions.end(7, mine.id)
      await client.next(isToken)
      expect(members(stage)).toBe(0)
    })
  })
})

describe('tokens and the socket', () => {
  test('a visitor may stay connected without a time limit and gets nothing private', async () => {
    const stage = await openStage()
    try {
      const client = await stage.extended('private')
      stage.later(30_000)
      stage.beat()
      client.send({ action: 'getQuota' })
      await client.next((message) => message.action === 'getQuota')
      expect(stage.feed.counts()).toMatchObject({ clients: 1, members: 0 })
    } finally {
      await stage.end()
    }
  })

  test('a token replaced by none or by a wrong one is no longer valid', async () => {
    const stage = await openStage()
    try {
      const client = await stage.client()
      for (const [token, answer, count] of [
        ['good', '7', 1],
        ['', null, 0],
        ['good', '7', 1],
        ['bad', 'unauthorized', 0],
        ['good', '7', 1],
        ['broken', 'busy', 0],
      ] as const) {
        expect(await show(client, token)).toBe(answer)
        expect(members(stage)).toBe(count)
      }
    } finally {
      await stage.end()
    }
  })

  test('a token in the address is refused, and no token appears in the log', async () => {
    const lines: string[] = []
    const write = (...parts: unknown[]) => void lines.push(JSON.stringify(parts))
    const loud = { trace: write, debug: write, info: write, warn: write, error: write, fatal: write } as unknown as Log
    const stage = await openStage(['BTCUSDT'], [], { log: loud })
    try {
      const secret = 'secret-token-of-ann'
      for (const query of [`?token=${secret}`, `?${secret}`, `?a=1&token=${secret}`]) {
        const refused = new Promise((done) =>
          new WebSocket(stage.url + query).once('unexpected-response', (_req, res) => done(res.statusCode)).on('error', () => undefined),
        )
        expect(await refused).toBe(403)
      }
      const client = await stage.client()
      await show(client, secret)
      client.send({ action: 'checkToken', token: secret, v: 3 })
      client.send(`{"action":"checkToken","token":"${secret}"`)
      await client.next((message) => message.action === 'ping' && 'error' in message)
      await eventually(() => stage.feed.counts().refusedUpgrades).toBeGreaterThanOrEqual(3)
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    } finally {
      await stage.end()
    }
  })
})
