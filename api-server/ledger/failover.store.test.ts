import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { type Pair, startPair } from '#tests/support/databases/failover.ts'
import { postgresMissing } from '#tests/support/databases/postgres.ts'
import { openWalletStage, proofsOf, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

const clients = 8
/** Calls must succeed again within this time after a server is back or replaced. */
const outageMsMax = 15_000
const missing = postgresMissing()
if (missing) console.error(`\n!!! failover of PostgreSQL: NOT RUN: ${missing}\n`)

describe.skipIf(missing)('failover of PostgreSQL', () => {
  let pair: Pair | undefined
  let database: Database | undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-failover-'))
  afterAll(async () => {
    await database?.close()
    await pair?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  interface Done {
    uid: number
    key: string
    call: 'wallet.transfer' | 'wallet.withdraw'
    answer: string
  }

  test('restart, read-only standby and promoted standby: nothing acknowledged is lost, each key takes effect once', {
    tags: 'full',
  }, async () => {
    pair = await startPair()
    const { url } = pair
    const open = async (migrations: Parameters<typeof openDatabase>[0]['migrations']) => {
      const options = { dataDir, databaseUrl: url, log: createLog('silent'), onFatal: () => expect.fail('the engine broke'), migrations }
      database = await openDatabase(options)
      return database
    }
    const stage: WalletStage = await openWalletStage({ open })
    const usdt = String(stage.idOf('USDT'))
    const fieldsOf = (call: Done['call'], address_id: string): Record<string, string> =>
      call === 'wallet.transfer'
        ? { currency_id: usdt, amount: '1', from: 'change', to: 'lever' }
        : { currency_id: usdt, amount: '20', address_id, ...proofsOf }
    const people: { uid: number; address_id: string }[] = []
    for (let n = 0; n < clients; n++) {
      const uid = await stage.user()
      await stage.credit(uid, 'USDT', '1000000')
      people.push({ uid, address_id: await stage.address(uid) })
    }

    const done: Done[] = []
    const faults: string[] = []
    let failed = 0
    let over = false
    const one = async ({ uid, address_id }: (typeof people)[number], turn: number) => {
      const call = turn % 3 ? 'wallet.transfer' : 'wallet.withdraw'
      const fields = fieldsOf(call, address_id)
      const key = randomUUID()
      const endsAt = performance.now() + 4 * outageMsMax
      for (;;) {
        try {
          const answer = JSON.stringify(await stage.call(call, uid, fields, key))
          done.push({ uid, key, call, answer })
          return
        } catch (error) {
          failed++
          // A client with an unknown outcome retries with its key. A valid call is never refused.
          if (error instanceof ApiProblem && !['busy', 'outcome_unknown'].includes(error.code)) faults.push(`${call}: ${error.code}`)
          if (performance.now() > endsAt) return void faults.push(`${call}: no answer; last error ${String(error)}`)
          await new Promise((wake) => setTimeout(wake, 30))
        }
      }
    }
    const all = Promise.all(
      people.map(async (who) => {
        for (let turn = 0; !over; turn++) await one(who, turn)
      }),
    )
    /** Waits until every customer has had a successful call again. @returns ms */
    async function served(): Promise<number> {
      const from = performance.now()
      const since = done.length
      await expect
        .poll(() => faults.length > 0 || new Set(done.slice(since).map(({ uid }) => uid)).size === clients, { timeout: 3 * outageMsMax })
        .toBe(true)
      expect(faults).toEqual([])
      return performance.now() - from
    }

    const outages: Record<string, number> = {}
    await served()
    await pair.end('SIGQUIT')
    await pair.startFirst()
    outages['stopped and restarted'] = await served()

    pair.leadTo('second', true)
    const before = failed
    await expect.poll(() => failed - before, { timeout: outageMsMax }).toBeGreaterThan(2 * clients)
    pair.leadTo('first')
    outages['a read-only standby'] = await served()

    await pair.end('SIGKILL')
    await pair.promote()
    pair.leadTo('second', true)
    outages['killed and replaced'] = await served()
    over = true
    await all
    expect(faults).toEqual([])

    const { rows } = await sql<{ owner: string; key: string; call: string; answered: boolean }>`select owner, key, call,
      (answer is not null or sealed is not null) as answered from once_key`.execute(stage.database.db)
    expect(rows.filter(({ answered }) => !answered)).toEqual([])
    const name = ({ uid, key, call }: Done) => `user:${uid} ${key} ${call}`
    expect(rows.map(({ owner, key, call }) => `${owner} ${key} ${call}`).sort()).toEqual(done.map(name).sort())
    const counted = async (kind: string) =>
      Number((await sql<{ n: number }>`select count(*) as n from ledger_event where kind = ${kind}`.execute(stage.database.db)).rows[0]?.n)
    const transfers = done.filter(({ call }) => call === 'wallet.transfer')
    expect([await counted('transfer'), await counted('withdraw_request')]).toEqual([transfers.length, done.length - transfers.length])
    for (const { uid } of people) {
      const own = done.filter((each) => each.uid === uid)
      const moved = own.filter(({ call }) => call === 'wallet.transfer').length
      const held = 20 * (own.length - moved)
      expect(await stage.has(uid, 'USDT')).toBe(`${1_000_000 - moved - held}/${held}`)
      expect(await stage.has(uid, 'USDT', 'lever')).toBe(`${moved}/0`)
    }
    // A later retry still receives the original answer.
    for (const each of [done[0]!, done[done.length >> 1]!, done.at(-1)!]) {
      const who = people.find(({ uid }) => uid === each.uid)!
      const fields = fieldsOf(each.call, who.address_id)
      expect(JSON.stringify(await stage.call(each.call, each.uid, fields, each.key))).toBe(each.answer)
    }
    await expectSoundMoney(stage.database)
    console.log(`${done.length} done, ${failed} retried; ms until all customers were served: ${JSON.stringify(outages)}`)
  })
})
