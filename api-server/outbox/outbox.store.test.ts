import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { OfficeNote } from '#api-server/kit/decision.ts'
import { mailCarrier } from '#api-server/outbox/mail.carrier.ts'
import { outboxMigrations } from '#api-server/outbox/outbox.migration.ts'
import { messageHandlers } from '#api-server/outbox/outbox.office.ts'
import { outboxLimits } from '#api-server/outbox/outbox.rules.ts'
import { type Carrier, createOutbox } from '#api-server/outbox/outbox.ts'
import type { Message } from '#api-server/outbox/post.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import { dueMigration } from '#server-kit/due/due.migration.ts'
import { dueLimits } from '#server-kit/due/due.rules.ts'
import type { Operator, OperatorCaller } from '#server-kit/http/http.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

const start = 1_800_000_000_000
const code = (to: string): Message => ({
  channel: 'mail',
  to,
  lang: 'fr',
  kind: 'code:register',
  subject: { key: 'code_subject' },
  expiresAt: start + 600_000,
  text: { key: 'code_text', values: { code: '135790', minutes: '10', purpose: { key: 'scene_register' } } },
})

const boss: OperatorCaller = {
  lang: 'en',
  token: undefined,
  agent: '',
  ip: '',
  operator: { id: 1, name: 'boss', roles: ['administrator'], fresh: true },
}

function serve(database: Database, mail?: Carrier) {
  let now = start
  const clock = createSettableClock({ now: () => now })
  const shared = { database, clock, log: createLog('silent'), secrets: createSecrets('a key that is long enough for tests') }
  const outbox = createOutbox({ ...shared, texts: loadTexts('locales', 'mail'), carriers: { mail } })
  const put = (message: Message) => database.transaction((tx) => outbox.put(tx, message))
  const notes: string[] = []
  const log = {
    append: async (_tx: Tx, { name }: Operator, { action, subject, detail }: OfficeNote) =>
      void notes.push(`${name} ${action} ${subject} ${detail}`),
  }
  const office = messageHandlers({ office: { database, clock, log }, secrets: shared.secrets })
  const rows = () => database.db.selectFrom('outbox').selectAll().orderBy('id').execute()
  return { outbox, put, office, notes, rows, later: (ms: number) => void (now += ms) }
}

onEngines('outbox', (engine) => {
  test('a message is in its reader’s language, encrypted, and sent once by any number of nodes', async () => {
    const database = await engine.open([...outboxMigrations, dueMigration])
    const sent: string[] = []
    const carrier: Carrier = { send: async (to, subject, text) => void sent.push([to, subject, text].join('|')) }
    const [one, two] = [serve(database, carrier), serve(database, carrier)]
    for (let i = 0; i < 10; i++) await one.put(code(`a${i}@mail.example`))
    await one.put({ ...code('nobody@mail.example'), drop: true })
    const [row] = await one.rows()
    expect(row!.message.toString('latin1')).not.toContain('135790')
    expect((await one.outbox.waiting('a3@mail.example'))[0]!.text).toMatch(/^Votre code de vérification est 135790\.[\s\S]*créer un compte/)
    await Promise.all([one.outbox.sendDue(), two.outbox.sendDue(), one.outbox.sendDue()])
    expect(sent).toHaveLength(10)
    expect(sent.some((line) => line.startsWith('nobody'))).toBe(false)
    for (const { status, message } of (await one.rows()).slice(0, 10)) expect([status, message.length]).toEqual(['sent', 0])
    expect(await one.outbox.waiting(undefined)).toEqual([])
  })

  test('operators list messages masked, newest first, by page and search, and read one in full; dropped or sent messages have no text', async () => {
    const database = await engine.open([...outboxMigrations, dueMigration])
    const { put, office, rows, outbox } = serve(database)
    const page = (search?: string, number = 1) => office['office.messages']({ page: number, size: 100, search }, boss)
    const one = async (id: number) => office['office.messageOpen']({ id, reason: 'the customer called' }, boss)
    for (let i = 0; i < 103; i++) await put(code(`a${i}@mail.example`))
    await put({ ...code('50%_off@mail.example'), drop: true })
    const first = await page()
    expect(first.list.slice(0, 2)).toMatchObject([
      { to: '5***@mail.example', status: 'dropped', readable: false },
      { to: 'a***@mail.example', status: 'waiting', readable: true },
    ])
    expect(JSON.stringify(first)).not.toMatch(/135790|a102@/)
    const [dropped, waiting] = [await one(first.list[0]!.id), await one(first.list[1]!.id)]
    expect(dropped).toMatchObject({ address: '50%_off@mail.example', text: '', code: '' })
    expect(waiting).toMatchObject({ address: 'a102@mail.example', text: expect.stringContaining('135790'), code: '135790' })
    expect(await refused(one(1_000_000))).toBe('not_found id')
    expect([first.list.length, (await page(undefined, 2)).list.length, first.total]).toEqual([100, 4, 104])
    const found = async (search: string) => Promise.all((await page(search)).list.map(async ({ id }) => (await one(id)).address))
    expect(await found('A102@')).toEqual(['a102@mail.example'])
    expect(await found('%_')).toEqual(['50%_off@mail.example'])
    expect(await found('code:register')).toHaveLength(100)
    expect(await found("' or true --")).toEqual([])
    expect((await rows()).length).toBe((await outbox.waiting(undefined)).length + 1)
  })

  test('each look at the list, and each message that is opened, is a row in the log, without an address', async () => {
    const database = await engine.open([...outboxMigrations, dueMigration])
    const { put, office, notes } = serve(database)
    await put(code('ann@mail.example'))
    const { list } = await office['office.messages']({ page: 1, size: 20, search: 'ann@mail.example' }, boss)
    await office['office.messages']({ page: 1, size: 20 }, boss)
    await office['office.messages']({ page: 1, size: 20, search: 'a😀\u200D👦' }, boss)
    await office['office.messageOpen']({ id: list[0]!.id, reason: 'the customer called' }, boss)
    expect(await refused((async () => office['office.messageOpen']({ id: 99, reason: 'the customer called' }, boss))())).toBe(
      'not_found id',
    )
    expect(notes).toEqual([
      'boss message.list messages a***@mail.example',
      'boss message.list messages ',
      'boss message.list messages …\u200D👦',
      `boss message.open message:${list[0]!.id} code:register: the customer called`,
    ])
  })

  test.each(['took it over after all', 'gave up'])(
    'when another node has sent the message of a slow carrier, it stays sent, though the slow carrier %s',
    async (how) => {
      const database = await engine.open([...outboxMigrations, dueMigration])
      let sent = 0
      const two = serve(database, { send: async () => void sent++ })
      const one = serve(database, {
        async send() {
          for (const node of [one, two]) node.later(outboxLimits.takenMs)
          await two.outbox.sendDue()
          if (how === 'gave up') throw new Error('the line was cut')
        },
      })
      const { expiresAt: _, ...notice } = code('a@mail.example')
      for (let i = 0; i < 3; i++) await one.put(notice)
      await one.outbox.sendDue()
      await one.outbox.sendDue()
      expect(sent).toBe(3)
      expect((await one.rows()).map(({ status, message, tries }) => [status, message.length, tries])).toEqual([
        ['sent', 0, 2],
        ['sent', 0, 1],
        ['sent', 0, 1],
      ])
    },
  )

  test('a failed message is tried again, then given up; an expired code is not sent; a rolled-back message does not exist', async () => {
    const database = await engine.open([...outboxMigrations, dueMigration])
    let tries = 0
    const { outbox, put, rows, later } = serve(database, {
      send: async () => {
        tries++
        throw new Error('the text of the message')
      },
    })
    const { expiresAt: _, ...notice } = code('a@mail.example')
    await put(notice)
    for (let i = 0; i < 10; i++) {
      await outbox.sendDue()
      await outbox.sendDue()
      later(3_600_000)
    }
    expect(tries).toBe(dueLimits.triesMax)
    await put(code('late@mail.example'))
    await outbox.sendDue()
    expect(tries).toBe(dueLimits.triesMax)
    expect((await rows()).map(({ status, message }) => [status, message.length])).toEqual([
      ['failed', 0],
      ['expired', 0],
    ])
    const failing = database.transaction(async (tx) => {
      await outbox.put(tx, notice)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await rows()).toHaveLength(2)
  })
})

test('mail goes out over SMTP to one receiver, as text; a refusal of the server is an error', async () => {
  let received = ''
  let refuse = false
  const server = createServer((socket) => {
    let inData = false
    socket.write('220 sink ESMTP\r\n')
    socket.on('data', (part) => {
      const text = part.toString()
      received += text
      if (inData) {
        if (text.endsWith('\r\n.\r\n')) {
          inData = false
          socket.write('250 taken\r\n')
        }
        return
      }
      if (/^DATA/m.test(text)) {
        inData = true
        socket.write('354 go on\r\n')
      } else if (/^RCPT/m.test(text) && refuse) socket.write('550 no\r\n')
      else if (/^QUIT/m.test(text)) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const carrier = mailCarrier(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, 'Tessera <no-reply@mail.example>')
  try {
    await carrier.send('ann@mail.example', 'Hello', 'Code 135790')
    expect(received.match(/^RCPT TO:.*$/gm)).toEqual(['RCPT TO:<ann@mail.example>'])
    expect(received).toMatch(/^From: Tessera <no-reply@mail\.example>$/m)
    expect(received).toContain('Code 135790')
    refuse = true
    await expect(carrier.send('ann@mail.example', 'Hello', 'x')).rejects.toThrow()
  } finally {
    carrier.close?.()
    server.close()
  }
})
