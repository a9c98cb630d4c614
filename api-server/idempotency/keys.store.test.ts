import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createIdempotency, type IdempotencyKeys, keyLimits } from '#api-server/idempotency/keys.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller } from '#server-kit/http/http.ts'
import { createSettableClock, type SettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { onBothEngines } from '#tests/support/databases/engines.ts'
import { coins, type LedgerStage, moneyMigrations, moved, stageLedger } from '#tests/support/databases/ledger-stage.ts'

const by = (uid: number, key?: string): Caller => ({
  lang: 'en',
  token: 'x',
  agent: '',
  ip: '',
  user: { uid, session: 's' },
  ...(key !== undefined && { key }),
})
const operator = (id: number, key: string): Caller => ({
  lang: 'en',
  token: 'x',
  agent: '',
  ip: '',
  operator: { id, name: 'ann', roles: [], fresh: true },
  key,
})
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiProblem ? error.code : `fault: ${String(error)}`),
  )

onBothEngines('keys of calls', (engine) => {
  let database: Database
  let clock: SettableClock
  let stage: LedgerStage
  let once: IdempotencyKeys
  /** A second process on the same database. */
  let elsewhere: IdempotencyKeys
  let customers = 200_000
  let sources = 0

  beforeAll(async () => {
    database = await engine.open(moneyMigrations)
    clock = createSettableClock()
    stage = await stageLedger(database)
    const deps = { database, clock, secrets: createSecrets('k'.repeat(32)), log: createLog('silent') }
    once = createIdempotency(deps)
    elsewhere = createIdempotency(deps)
  })

  /** Transfers one coin; the answer holds the number of the event. */
  const transfer = (keys: IdempotencyKeys, caller: Caller, amount = '1', more: { call?: string; prove?: () => Promise<void> } = {}) => {
    const options = { call: more.call ?? 'wallet.transfer', input: { amount, currency_id: 3 }, ...(more.prove && { prove: more.prove }) }
    return keys.run(caller, options, async (tx) => {
      const event = { kind: 'transfer', source: `transfer:${++sources}`, uid: caller.user!.uid, at: 1 } as const
      const id = await stage.ledger.post(tx, { ...event, postings: moved(caller.user!.uid, amount, 'change', 'lever') })
      return { id, amount, nothing: undefined }
    })
  }
  const customer = async (amount = '10') => {
    const uid = ++customers
    await stage.credit(uid, amount)
    const has = async () => {
      const [change, lever] = await Promise.all((['change', 'lever'] as const).map((kind) => stage.reads.balance(uid, kind, coins.usdt)))
      return [Number(change!.available), Number(lever!.available)]
    }
    return { uid, key: randomUUID(), has }
  }
  const rows = (owner: string) => database.db.selectFrom('once_key').selectAll().where('owner', '=', owner).execute()

  test('many concurrent calls with one key, from two processes, have one effect and equal answers', async () => {
    for (const prove of [undefined, async () => {}]) {
      const { uid, key, has } = await customer()
      const caller = by(uid, key)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => transfer(at % 2 ? once : elsewhere, caller, '6', prove && { prove })),
      )
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
      expect(Object.keys(answers[0]!)).toEqual(['id', 'amount'])
      expect(await has()).toEqual([4, 6])
      expect(await rows(`user:${uid}`)).toHaveLength(1)
    }
  })

  test('each call without a key has its own effect', async () => {
    const { uid, has } = await customer()
    const [one, two] = await Promise.all([transfer(once, by(uid)), transfer(once, by(uid))])
    expect(one.id).not.toBe(two.id)
    expect(await has()).toEqual([8, 2])
    expect(await rows(`user:${uid}`)).toEqual([])
  })

  test('a key with another body or another call is refused; the same key of another owner is another key', async () => {
    const { uid, key, has } = await customer()
    const other = await customer()
    await transfer(once, by(uid, key))
    expect(await refusal(transfer(once, by(uid, key), '2'))).toBe('key_reused')
    expect(await refusal(transfer(once, by(uid, key), '1', { call: 'user.Transfer' }))).toBe('key_reused')
    expect(await refusal(once.keep(by(uid, key), { call: 'user.editNickname', input: {} }, async () => 1))).toBe('key_reused')
    expect(await has()).toEqual([9, 1])
    await transfer(once, by(other.uid, key), '3')
    expect(await other.has()).toEqual([7, 3])
    expect(await once.keep(operator(uid, key), { call: 'office.approve', input: {} }, async () => 'other')).toBe('other')
  })

  test('a refusal stores nothing: the corrected call may use the same key', async () => {
    const { uid, key, has } = await customer()
    expect(await refusal(transfer(once, by(uid, key), '11'))).toBe('insufficient_balance')
    const wrong = async () => {
      throw new ApiProblem('code_wrong')
    }
    expect(await refusal(transfer(once, by(uid, key), '5', { prove: wrong }))).toBe('code_wrong')
    expect(await rows(`user:${uid}`)).toEqual([])
    expect(await has()).toEqual([10, 0])
    await transfer(once, by(uid, key), '5')
    expect(await has()).toEqual([5, 5])
  })

  test('the proof runs once, also for many concurrent calls', async () => {
    const { uid, key, has } = await customer()
    let proved = 0
    const prove = async () => {
      proved++
      await new Promise((wake) => setTimeout(wake, 20))
    }
    await Promise.all(Array.from({ length: 6 }, (_, at) => transfer(at % 2 ? once : elsewhere, by(uid, key), '1', { prove })))
    await transfer(once, by(uid, key), '1', { prove })
    expect(proved).toBe(1)
    expect(await has()).toEqual([9, 1])
  })

  test('effect and answer are stored together, or neither is', async () => {
    const { uid, key, has } = await customer()
    const fails = (when: 'work' | 'answer') =>
      once.run(by(uid, key), { call: 'wallet.transfer', input: {} }, async (tx) => {
        const event = { kind: 'transfer', source: `transfer:${++sources}`, uid, at: 1 } as const
        await stage.ledger.post(tx, { ...event, postings: moved(uid, '1', 'change', 'lever') })
        if (when === 'work') throw new Error('the process was about to end')
        return 'x'.repeat(keyLimits.answerBytesMax)
      })
    for (const when of ['work', 'answer'] as const) {
      expect(await refusal(fails(when))).toMatch(/^fault/)
      expect(await has()).toEqual([10, 0])
      expect(await rows(`user:${uid}`)).toEqual([])
      expect(await once.outcome(by(uid), key)).toEqual({ state: 'unknown', call: '', answer: '' })
    }
    // A run that has lost its key to another run does not take effect.
    const late = transfer(once, by(uid, key), '1', {
      prove: async () => {
        await database.db.updateTable('once_key').set({ run: 'another' }).where('key', '=', key).execute()
      },
    })
    expect(await refusal(late)).toBe('outcome_unknown')
    expect(await has()).toEqual([10, 0])
  })

  test('a call whose key was used, on a database that then goes away, is not told more than is known', async () => {
    const { uid, key, has } = await customer()
    await transfer(once, by(uid, key))
    const gone = {
      selectFrom() {
        throw new ApiProblem('busy')
      },
    } as unknown as Database['db']
    const deps = { database: { ...database, db: gone }, clock, secrets: createSecrets('k'.repeat(32)), log: createLog('silent') }
    expect(await refusal(transfer(createIdempotency(deps), by(uid, key)))).toBe('outcome_unknown')
    expect(await has()).toEqual([9, 1])
  })

  test('an owner can ask for the outcome of a key; other owners learn nothing', async () => {
    const { uid, key } = await customer()
    expect(await once.outcome(by(uid), key)).toEqual({ state: 'unknown', call: '', answer: '' })
    let goOn = () => {}
    const waits = new Promise<void>((done) => {
      goOn = done
    })
    const under = transfer(once, by(uid, key), '1', { prove: () => waits })
    await expect.poll(() => rows(`user:${uid}`)).toHaveLength(1)
    for (const keys of [once, elsewhere]) expect(await keys.outcome(by(uid), key)).toMatchObject({ state: 'running', answer: '' })
    goOn()
    const answer = await under
    for (const keys of [once, elsewhere])
      expect(await keys.outcome(by(uid), key)).toEqual({ state: 'done', call: 'wallet.transfer', answer: JSON.stringify(answer) })
    expect(await once.outcome(by(uid + 1), key)).toMatchObject({ state: 'unknown' })
  })

  test.runIf(engine.name === 'postgres')('an open transaction of another process is not reported as "nothing happened"', async () => {
    const { uid, key } = await customer()
    let goOn = () => {}
    const waits = new Promise<void>((done) => {
      goOn = done
    })
    let tell = () => {}
    const taken = new Promise<void>((done) => {
      tell = done
    })
    const under = elsewhere.run(by(uid, key), { call: 'wallet.transfer', input: {} }, async (tx) => {
      // The statement before this one locks the key. Only then has the transaction had an effect.
      await sql`select 1`.execute(tx)
      tell()
      await waits
      return 1
    })
    await taken
    const asked = once.outcome(by(uid), key)
    setTimeout(goOn, 100)
    expect(await asked).toMatchObject({ state: 'done', answer: '1' })
    await under
  })

  test.runIf(engine.name === 'postgres')('the work of a call is undone when another call takes its key meanwhile', async () => {
    const { uid, key, has } = await customer()
    let goOn = () => {}
    const waits = new Promise<void>((done) => {
      goOn = done
    })
    let tell = () => {}
    const worked = new Promise<void>((done) => {
      tell = done
    })
    const under = once.run(by(uid, key), { call: 'wallet.transfer', input: {} }, async (tx) => {
      const event = { kind: 'transfer', source: `transfer:${++sources}`, uid, at: 1 } as const
      await stage.ledger.post(tx, { ...event, postings: moved(uid, '1', 'change', 'lever') })
      tell()
      await waits
    })
    await worked
    const other = () => elsewhere.keep(by(uid, key), { call: 'user.editNickname', input: {} }, async () => 'other')
    expect(await other()).toBe('other')
    goOn()
    expect(await refusal(under)).toBe('key_reused')
    expect(await has()).toEqual([10, 0])
    expect(await other()).toBe('other')
  })

  test.runIf(engine.name === 'postgres')('another process with the same key waits and does not repeat the work', async () => {
    const { uid, key, has } = await customer()
    let goOn = () => {}
    const waits = new Promise<void>((done) => {
      goOn = done
    })
    const order: string[] = []
    const run = (keys: IdempotencyKeys, name: string) =>
      keys.run(by(uid, key), { call: 'wallet.transfer', input: {} }, async (tx) => {
        await sql`select 1`.execute(tx)
        order.push(`${name} works`)
        if (name === 'one') await waits
        order.push(`${name} posts`)
        const event = { kind: 'transfer', source: `transfer:${++sources}`, uid, at: 1 } as const
        return await stage.ledger.post(tx, { ...event, postings: moved(uid, '10', 'change', 'lever') })
      })
    const one = run(once, 'one')
    await expect.poll(() => order).toEqual(['one works'])
    const two = run(elsewhere, 'two')
    const waiting = sql<{ n: number }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await waiting.execute(database.db)).rows[0]!.n).toBe(1)
    goOn()
    expect(await two).toBe(await one)
    expect(order.slice(0, 2)).toEqual(['one works', 'one posts'])
    expect(await has()).toEqual([0, 10])
  })

  test('an abandoned money call is taken over; the outcome of other abandoned calls is unknown', async () => {
    const money = await customer()
    const data = await customer()
    const hanging = { run: 'gone', at: clock.now() - keyLimits.abandonedMs - 1_000 }
    await refusal(transfer(once, by(money.uid, money.key), '1', { prove: async () => void (await abandon(money.key)) }))
    const never = once.keep(by(data.uid, data.key), { call: 'user.editNickname', input: {} }, async () => {
      await abandon(data.key)
      throw new Error('the process ended')
    })
    expect(await refusal(never)).toMatch(/^fault/)
    async function abandon(key: string) {
      await database.db.updateTable('once_key').set(hanging).where('key', '=', key).execute()
    }
    expect(await money.has()).toEqual([10, 0])
    expect(await once.outcome(by(money.uid), money.key)).toMatchObject({ state: 'unknown' })
    await transfer(once, by(money.uid, money.key), '1')
    expect(await money.has()).toEqual([9, 1])
    let again = 0
    const retried = once.keep(by(data.uid, data.key), { call: 'user.editNickname', input: {} }, async () => ++again)
    expect(await refusal(retried)).toBe('outcome_unknown')
    expect(await refusal(once.outcome(by(data.uid), data.key))).toBe('outcome_unknown')
    expect(again).toBe(0)
  })

  test('answers of other calls are replayed and are not readable in the database', async () => {
    const { uid, key } = await customer()
    let done = 0
    const work = async () => ({ recovery_codes: ['quite-secret'], n: ++done })
    const keep = () => once.keep(by(uid, key), { call: 'user.totpConfirm', input: { password: 'river' } }, work)
    expect(await Promise.all([keep(), keep(), keep()])).toEqual(
      Array.from({ length: 3 }, () => ({ recovery_codes: ['quite-secret'], n: 1 })),
    )
    const [row] = await rows(`user:${uid}`)
    expect(row?.answer).toBeNull()
    expect(`${row?.sealed?.toString('latin1')}${row?.hash.toString('latin1')}`).not.toMatch(/quite-secret|river/)
    expect(await once.outcome(by(uid), key)).toMatchObject({ state: 'done', call: 'user.totpConfirm' })
  })

  test('answers of calls with a proof are not readable either', async () => {
    const { uid, key } = await customer()
    const caller = by(uid, key)
    const options = { call: 'user.cashSave', input: {}, prove: async () => {} }
    const save = (keys: IdempotencyKeys) => keys.run(caller, options, async () => ({ real_name: 'Quite Secret' }))
    for (const keys of [once, elsewhere]) expect(await save(keys)).toEqual({ real_name: 'Quite Secret' })
    const [row] = await rows(`user:${uid}`)
    expect(`${row?.answer}${row?.sealed?.toString('latin1')}`).not.toContain('Quite Secret')
    expect(await once.outcome(caller, key)).toMatchObject({ state: 'done', answer: '{"real_name":"Quite Secret"}' })
  })

  test('a statement without await finishes before the commit, or the transaction is undone and its own error is thrown', async () => {
    const { uid, has } = await customer()
    const move = (tx: Tx) => {
      const event = { kind: 'transfer', source: `transfer:${++sources}`, uid, at: 1 } as const
      return stage.ledger.post(tx, { ...event, postings: moved(uid, '1', 'change', 'lever') })
    }
    const unheard = (asked: Promise<unknown>) => void asked.catch(() => {})
    for (const nothing of [0, 0]) {
      const attempt = database.transaction(async (tx) => {
        unheard(move(tx))
        unheard(sql`select 1 / ${nothing}::int`.execute(tx))
      })
      await expect(attempt).rejects.toMatchObject({ code: '22012' })
    }
    expect(await has()).toEqual([10, 0])
    let late: Tx | undefined
    await database.transaction(async (tx) => {
      late = tx
      unheard(move(tx))
    })
    await expect(move(late!)).rejects.toThrow(/after the end/)
    expect(await has()).toEqual([9, 1])
  })

  test('keys are kept for one day', async () => {
    const { uid, key, has } = await customer()
    const first = await transfer(once, by(uid, key))
    clock.set(clock.now() + keyLimits.keptMs - 60_000)
    await once.removeOld()
    expect(await transfer(elsewhere, by(uid, key))).toEqual(first)
    clock.set(clock.now() + 120_000)
    expect(await once.removeOld()).toBeGreaterThan(0)
    expect(await rows(`user:${uid}`)).toEqual([])
    expect(await has()).toEqual([9, 1])
    clock.set(undefined)
  })
})
