import { randomUUID } from 'node:crypto'
import Big from 'big.js'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fundingCalls } from '#contract/calls/funding.calls.ts'
import { walletCalls } from '#contract/calls/wallet.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { openSpotNode } from '#tests/support/databases/spot-stage.ts'
import { openWalletStage, proofsOf, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { chance, isFull, sized, testSeed, withSeed } from '#tests/support/house/sizes.ts'
import {
  asked,
  codes,
  doings,
  kinds,
  moneyCalls,
  moneyCallsOf,
  type Operation,
  operation,
  type Person,
} from '#tests/support/people/money-calls.ts'

const clients = 64
const opsPerRun = sized(1_500, 5_000)
const runs = sized(1, 4)
const patient = { timeout: 600_000 }

/** Permitted refusals under concurrent load. Any other error is a bug. */
const refusals = new Set([
  ...['insufficient_balance', 'state_wrong', 'quote_expired', 'amount_too_small', 'withdraw_limit', 'order_limit', 'too_many_open'],
  ...['own_decision', 'price_stale', 'not_found'],
])

onEngines('money under concurrent load', (engine) => {
  const isPostgres = engine.name === 'postgres'
  /** Number of processes. Between processes only the database knows about a key. */
  const nodes = isPostgres ? 4 : 1
  /** On PostgreSQL each test has its own database, so the tests can run side by side. */
  const together = isPostgres ? test.concurrent : test
  let shared: WalletStage | undefined
  beforeAll(async () => {
    if (!isPostgres) shared = await openWalletStage(engine, nodes)
  })
  const staged = async () => shared ?? openWalletStage(engine, nodes)

  together('concurrent calls of many customers and operators neither create nor lose money', patient, async () => {
    const stage = await staged()
    const { person, atOnce } = moneyCallsOf(stage)
    const people: Person[] = []
    for (let n = 0; n < 8; n++) people.push(await person({ USDT: '50000', BTC: '50000', ETH: '50000' }))
    const came = new Map<string, number>()

    /** @returns the outcome, or the code of the refusal */
    async function perform(op: Operation): Promise<string> {
      try {
        const answers = await atOnce(op, people[op.who]!)
        return answers ? (answers.length === 1 ? 'done' : 'one key, several answers') : 'nothing to do'
      } catch (error) {
        return error instanceof ApiProblem ? error.code : String(error)
      }
    }
    const seed = testSeed()
    const property = fc.asyncProperty(fc.array(operation, { minLength: opsPerRun, maxLength: opsPerRun, size: 'max' }), async (ops) => {
      const queue = [...ops]
      const wrong: string[] = []
      const client = async () => {
        for (let op = queue.pop(); op; op = queue.pop()) {
          const outcome = await perform(op)
          const name = `${op.doing}: ${outcome}`
          came.set(name, (came.get(name) ?? 0) + 1)
          if (outcome !== 'done' && outcome !== 'nothing to do' && !refusals.has(outcome)) wrong.push(name)
        }
      }
      await Promise.all(Array.from({ length: clients }, client))
      expect(wrong).toEqual([])
      const { currencies } = await expectSoundMoney(stage.database)
      expect(currencies.length).toBeGreaterThanOrEqual(codes.length)
    })
    await withSeed({ seed }, async () => {
      // The operations cannot be replayed from the start, so a failure is reported as it came.
      const told = await fc.check(property, { seed, numRuns: runs, endOnFailure: true })
      if (told.failed) throw told.errorInstance
      // With 20,000 operations each kind succeeds dozens of times. With fewer, the rarest kind may not succeed at all.
      const expected = isFull ? doings : (['transfer', 'exchange', 'recharge'] as const)
      const never = expected.filter((doing) => !came.has(`${doing}: done`))
      expect(never, JSON.stringify(Object.fromEntries(came))).toEqual([])
    })
  })

  together('fifty calls of one customer at once, of wallet and trading, spend what there is and no more', patient, async () => {
    const stage = await staged()
    const [lever, spot] = [await leverStageOn(stage.database), await openSpotNode(stage.database, { secrets: stage.secrets })]
    const draw = chance()
    try {
      lever.tick('50000')
      await spot.spot.start()
      await withSeed(draw, async () => {
        for (let round = 0; round < sized(3, 100); round++) {
          const uid = await stage.user()
          await stage.credit(uid, 'USDT', '1000', 'change')
          await stage.credit(uid, 'USDT', '300', 'lever')
          const [address_id, currency_id] = [await stage.address(uid), String(stage.idOf('USDT'))]
          const fields = {
            withdraw: { currency_id, amount: '250', address_id, ...proofsOf },
            transfer: { amount: '150', currency_id, from: 'change', to: 'lever' },
            open: { match_id: 'BTCUSDT', side: 'long', lots: '40', multiple: '100' },
          }
          /** What each takes from its balance: margin and fee of 40 lots of 0.01 at 50,000. */
          const takes = { withdraw: '250', transfer: '150', trade: '200', open: '210' }
          const calls = {
            withdraw: (node: number) => stage.callAt(node, 'wallet.withdraw', uid, fields.withdraw, randomUUID()),
            transfer: (node: number) => stage.callAt(node, 'wallet.transfer', uid, fields.transfer, randomUUID()),
            trade: () => spot.order(uid, 'buy 0.004 at 50000', {}, randomUUID()),
            open: () => lever.call('lever.orderOpen', uid, fields.open, randomUUID()),
          }
          const done = { withdraw: 0, transfer: 0, trade: 0, open: 0 }
          const refused = new Set<string>()
          const names = Array.from({ length: 50 }, () => draw.of(['withdraw', 'transfer', 'trade', 'open'] as const))
          await Promise.all(
            names.map(async (name, at) => {
              try {
                await calls[name](at)
                done[name]++
              } catch (error) {
                expect(error instanceof ApiProblem ? error.code : error).toBe('insufficient_balance')
                refused.add(name)
              }
            }),
          )
          const spent = (name: keyof typeof done) => new Big(takes[name]).times(done[name])
          const frozen = spent('withdraw').plus(spent('trade'))
          const left = new Big(1_000).minus(frozen).minus(spent('transfer'))
          expect(await stage.has(uid, 'USDT')).toBe(`${left}/${frozen}`)
          const inLever = new Big(300).plus(spent('transfer')).minus(spent('open'))
          expect(await lever.has(uid)).toBe(`${inLever}/0`)
          expect([left.gte(0), inLever.gte(0)]).toEqual([true, true])
          // Nothing comes back to this balance, so what was refused could not be paid at the end either.
          for (const name of ['withdraw', 'transfer', 'trade'] as const)
            if (refused.has(name)) expect(left.lt(takes[name]), name).toBe(true)
          const { rows } = await sql<{ kind: string; times: number }>`select kind, count(*)::int as times from ledger_event
            where uid = ${uid} and key is not null group by kind`.execute(stage.database.db)
          const none = { withdraw_request: 0, transfer: 0, spot_order: 0, lever_open: 0 }
          expect({ ...none, ...Object.fromEntries(rows.map(({ kind, times }) => [kind, times])) }).toEqual({
            ...{ withdraw_request: done.withdraw, transfer: done.transfer, spot_order: done.trade, lever_open: done.open },
          })
        }
        await expectSoundMoney(stage.database)
      })
    } finally {
      await spot.close()
      await lever.stop()
    }
  })

  together('twenty concurrent calls with one key have one effect and equal answers, for every call that moves money', patient, async () => {
    const stage = await staged()
    const { person, atOnce } = moneyCallsOf(stage)
    const keyed = Object.entries({ ...walletCalls, ...fundingCalls }).flatMap(([name, row]) =>
      'keyed' in row && row.keyed === 'money' ? [name] : [],
    )
    expect(Object.values<string>(moneyCalls).sort()).toEqual(keyed.sort())
    const rounds = sized(5, isPostgres ? 200 : 50)
    const base = { who: 0, from: 'change', to: 'lever', code: 'USDT', other: 'BTC', amount: '250', times: 20, which: 0 } as const
    const given = new Set<string>()
    async function round(): Promise<void> {
      const one = await person({ USDT: '1000', BTC: '1', ETH: '1' })
      for (const doing of asked) {
        const answers = await atOnce({ ...base, doing }, one)
        expect(answers, doing).toHaveLength(1)
        given.add(`${doing} ${answers}`)
      }
      const { rows } = await sql<{ what: string; times: number }>`
        select kind as what, count(*)::int as times from ledger_event where uid = ${one.uid} group by kind
        union all select type || ' ' || status, count(*)::int from funding where uid = ${one.uid} group by type, status`.execute(
        stage.database.db,
      )
      expect(Object.fromEntries(rows.map(({ what, times }) => [what, times]))).toEqual({
        ...{ credit: codes.length, transfer: 2, exchange: 1, withdraw_request: 1, withdraw_cancel: 1 },
        ...{ 'withdraw cancelled': 1, 'recharge reviewing': 1 },
      })
    }
    const lane = async (share: number) => {
      for (let at = 0; at < share; at++) await round()
    }
    await Promise.all(Array.from({ length: 5 }, () => lane(rounds / 5)))
    // No two keys received the same answer.
    expect(given.size).toBe(rounds * asked.length)
    await expectSoundMoney(stage.database)
  })

  together('transfers in opposite directions between the same accounts never deadlock', patient, async () => {
    const stage = await staged()
    const lastsMs = sized(1_000, isPostgres ? 30_000 : 5_000)
    const draw = chance()
    const owners = [await stage.user(), await stage.user(), await stage.user()]
    const accounts = owners.flatMap((uid, at) => kinds.slice(at ? 1 : 0).map((kind) => ({ uid, kind, sum: 1_000_000 })))
    expect(accounts).toHaveLength(10)
    for (const { uid, kind, sum } of accounts) await stage.credit(uid, 'USDT', String(sum), kind)
    const currency = stage.idOf('USDT')
    const deadlocks = async () => {
      const { rows } = await sql<{ n: number }>`select deadlocks as n from pg_stat_database where datname = current_database()`.execute(
        stage.database.db,
      )
      return Number(rows[0]?.n)
    }
    const before = await deadlocks()
    const endsAt = performance.now() + lastsMs
    let moved = 0
    /** Moves money between accounts of one customer, and between accounts of two customers. */
    async function move(): Promise<void> {
      const from = draw.of(accounts)
      const isOwn = draw.next() < 0.5
      const to = draw.of(accounts.filter((one) => one !== from && (one.uid === from.uid) === isOwn))
      const units = 1 + draw.below(3)
      if (isOwn) {
        const fields = { amount: String(units), currency_id: String(currency), from: from.kind, to: to.kind }
        await stage.callAt(draw.below(nodes), 'wallet.transfer', from.uid, fields, randomUUID())
      } else await stage.move(from, to, currency, String(units))
      from.sum -= units
      to.sum += units
      moved++
    }
    const client = async () => {
      while (performance.now() < endsAt) await move()
    }
    await withSeed(draw, async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 32 }, client))
      const wrong = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      expect({ wrong, deadlocks: (await deadlocks()) - before }).toEqual({ wrong: [], deadlocks: 0 })
      expect(moved).toBeGreaterThan(0)
      for (const { uid, kind, sum } of accounts) expect(await stage.has(uid, 'USDT', kind)).toBe(`${sum}/0`)
      await expectSoundMoney(stage.database)
    })
  })
})
