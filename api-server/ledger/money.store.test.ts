import { randomUUID } from 'node:crypto'
import Big from 'big.js'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { outcomeHandlers } from '#api-server/idempotency/outcome.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { productsOn } from '#tests/support/databases/products-stage.ts'
import { openWalletStage, proofsOf, type WalletStage } from '#tests/support/databases/wallet-stage.ts'
import { chance, isFull, sized, testSeed, withSeed } from '#tests/support/house/sizes.ts'
import {
  codes,
  doings,
  kinds,
  moneyCallsOf,
  type Operation,
  operation,
  type Person,
  untilKnown,
} from '#tests/support/people/money-calls.ts'
import { type MoneyCall, moneyCallNames, readyOn } from '#tests/support/people/product-calls.ts'
import { percentile } from '#tests/support/percentile.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/** The lines of each customer's statement sum to what the customer has, margin of positions included. */
async function expectWholeStatements(database: Database): Promise<void> {
  const { rows } = await sql<{ uid: number; name: string; balance: string }>`
    select coalesce(a.uid, l.uid) as uid, coalesce(a.kind || ':' || a.part, 'lever:margin') || ' ' || a.currency as name,
      trim_scale(sum(a.balance))::text as balance
    from ledger_account a left join lever_position l on l.id = a.position
    where coalesce(a.uid, l.uid) is not null group by 1, 2 having sum(a.balance) <> 0 order by 1, 2`.execute(database.db)
  expect(new Set(rows.map(({ name }) => name.split(' ')[0]))).toContain('lever:margin')
  const reads = createLedgerReads(database)
  for (const uid of new Set(rows.map((row) => row.uid))) {
    const sums = new Map<string, Big>()
    for (const { account, part, currency, amount } of (await reads.statement(uid, {}, { offset: 0, size: 10_000 })).rows) {
      const name = `${account}:${part} ${currency}`
      sums.set(name, (sums.get(name) ?? new Big(0)).plus(amount))
    }
    const found = [...sums].flatMap(([name, sum]) => (sum.eq(0) ? [] : { uid, name, balance: sum.toFixed() }))
    expect(found.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(rows.filter((row) => row.uid === uid))
  }
}

const clients = 64
const opsPerRun = isFull ? 5_000 : 1_500
const runs = sized(1, 4)
/** So long the slowest of fifty calls may take that one customer makes at once; beside other work, as long as fifty that are made in turn. */
const answerMsMax = 1_000
/** In one of so many rounds the calls are made in turn. */
const inTurnEvery = 10

/** Permitted refusals under concurrent load. Any other error is a bug. */
const refusals = new Set([
  ...['insufficient_balance', 'state_wrong', 'quote_expired', 'amount_too_small', 'withdraw_limit', 'order_limit', 'too_many_open'],
  ...['own_decision', 'price_stale', 'not_found', 'order_unknown', 'amount_too_large', 'size_wrong', 'list_full'],
])

onEngines('money under concurrent load', (engine) => {
  const isPostgres = engine.name === 'postgres'
  /** Number of processes. Between processes only the database knows about a key. */
  const nodes = isPostgres ? 4 : 1
  let stage: WalletStage
  beforeAll(async () => {
    stage = await openWalletStage(engine, nodes)
  })

  const deadlocks = async () => {
    const { rows } = await sql<{ n: number }>`select deadlocks as n from pg_stat_database where datname = current_database()`.execute(
      stage.database.db,
    )
    return Number(rows[0]?.n)
  }

  test('concurrent calls of many customers and operators neither create nor lose money', async () => {
    const products = await productsOn(stage, nodes)
    const offer_id = String(await products.otc.offer({ price: '50000', amount_min: '0.001', whole: '1000' }))
    const { person, atOnce } = moneyCallsOf(stage, products, offer_id)
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
      // One ends after a second, in which the books stand still; all transactions lock in one order, so there is none.
      expect(await deadlocks()).toBe(0)
    })
    await withSeed({ seed }, async () => {
      try {
        // The operations cannot be replayed from the start, so a failure is reported as it came.
        const found = await fc.check(property, { seed, numRuns: runs, endOnFailure: true })
        if (found.failed) throw found.errorInstance
        // With 20,000 operations each kind succeeds dozens of times. With fewer, the rarest kind may not succeed at all.
        const expected = isFull ? doings : (['transfer', 'exchange', 'recharge', 'lever.orderOpen', 'c2c.trade'] as const)
        const never = expected.filter((doing) => !came.has(`${doing}: done`))
        expect(never, JSON.stringify(Object.fromEntries(came))).toEqual([])
      } finally {
        // The tests that follow find empty books.
        for (const { uid } of people) await products.call('c2c.cancelAll', uid)
        await products.stop()
      }
    })
  })

  test('fifty calls of one customer at once, of wallet and trading, spend what there is and no more', async () => {
    const products = await productsOn(stage, nodes)
    const { lever, follow, otc, spots } = products
    /** In ms, by round: the slowest of the calls at once, and all calls in turn. */
    const [slowest, inTurn]: number[][] = [[], []]
    const draw = chance()
    try {
      expect(spots.map(({ spot }) => spot.depth('BTCUSDT', 1))).toEqual(spots.map(() => ({ bids: [], asks: [] })))
      const offer_id = String(await otc.offer({ price: '50000', amount_min: '0.001', whole: '1000' }))
      await withSeed(draw, async () => {
        for (let round = 0; round < sized(3, 100); round++) {
          const uid = await stage.user()
          await stage.credit(uid, 'USDT', '1000', 'change')
          await stage.credit(uid, 'USDT', '300', 'lever')
          await stage.credit(uid, 'USDT', '250', 'micro')
          const trader = await stage.user()
          await stage.credit(trader, 'USDT', '100000', 'lever')
          await follow.accept(trader)
          await products.call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader) })
          const [address_id, currency_id, btc] = [await stage.address(uid), String(stage.idOf('USDT')), String(stage.idOf('BTC'))]
          const pair = { from_currency_id: currency_id, to_currency_id: btc }
          const position = { match_id: 'BTCUSDT', side: 'long', lots: '40', multiple: '100' }
          const spotOrder = { type: 'buy', amount: '0.004', currency_id: btc, legal_id: currency_id, tradeType: 'limit' }
          /** The amount that each takes from its balance: margin and fee of 40 lots of 0.01 at 50,000, also for a copy. */
          const takes = {
            withdraw: '250',
            transfer: '150',
            exchange: '120',
            trade: '200',
            deal: '180',
            open: '210',
            copy: '210',
            option: '60',
          }
          type Name = keyof typeof takes
          const keyed =
            (name: MoneyCall, fields: Record<string, string>, who = uid) =>
            (node: number) =>
              products.callAt(node, name, who, fields, randomUUID())
          const calls: Record<Name, (node: number) => Promise<unknown>> = {
            withdraw: keyed('wallet.withdraw', { currency_id, amount: '250', address_id, ...proofsOf }),
            transfer: keyed('wallet.transfer', { amount: '150', currency_id, from: 'change', to: 'lever' }),
            async exchange(node) {
              const { quote_id } = await products.call('wallet.getExchangeRate', uid, pair)
              return keyed('wallet.exchange', { ...pair, amount: '120', quote_id })(node)
            },
            trade: keyed('c2c.trade', { ...spotOrder, target_price: '50000' }),
            deal: keyed('otc.order', { offer_id, amount: '0.0036' }),
            open: keyed('lever.orderOpen', position),
            copy: keyed('lever.orderOpen', position, trader),
            option: keyed('mic.orderOpen', { match_id: 'BTCUSDT', currency_id, type: 'up', seconds: '60', number: '60' }),
          }
          const done = { withdraw: 0, transfer: 0, exchange: 0, trade: 0, deal: 0, open: 0, copy: 0, option: 0 }
          const refused = new Set<Name>()
          const names = Array.from({ length: 50 }, () => draw.of(Object.keys(takes) as Name[]))
          async function ask(name: Name, at: number): Promise<number> {
            const asked = performance.now()
            await calls[name](at).then(
              () => done[name]++,
              (error: unknown) => {
                expect(error instanceof ApiProblem ? error.code : error).toBe('insufficient_balance')
                refused.add(name)
              },
            )
            return performance.now() - asked
          }
          if (round % inTurnEvery < inTurnEvery - 1) slowest!.push(Math.max(...(await Promise.all(names.map(ask)))))
          else {
            let took = 0
            for (const [at, name] of names.entries()) took += await ask(name, at)
            inTurn!.push(took)
          }
          await follow.copied()
          const copies = await stage.database.db.selectFrom('follow_copy').select(['state', 'reason']).where('uid', '=', uid).execute()
          // The trader can pay for each, and each is copied or skipped.
          expect(copies).toHaveLength(done.copy)
          expect(new Set(copies.map(({ state, reason }) => reason ?? state))).not.toContain('late')
          done.copy = copies.filter(({ state }) => state === 'open').length
          const spent = (...of: Name[]) => of.reduce((sum, name) => sum.plus(new Big(takes[name]).times(done[name])), new Big(0))
          const frozen = spent('withdraw', 'trade', 'deal')
          const left = new Big(1_000).minus(frozen).minus(spent('transfer', 'exchange'))
          expect(await stage.has(uid, 'USDT')).toBe(`${left}/${frozen}`)
          const inLever = new Big(300).plus(spent('transfer')).minus(spent('open', 'copy'))
          expect(await lever.has(uid)).toBe(`${inLever}/0`)
          const inMicro = new Big(250).minus(spent('option'))
          expect(await stage.has(uid, 'USDT', 'micro')).toBe(`${inMicro}/${spent('option')}`)
          expect([left.gte(0), inLever.gte(0), inMicro.gte(0)]).toEqual([true, true, true])
          // Nothing comes back to these balances, so what was refused could not be paid at the end either.
          for (const name of ['withdraw', 'transfer', 'exchange', 'trade', 'deal'] as const)
            if (refused.has(name)) expect(left.lt(takes[name]), name).toBe(true)
          if (refused.has('option')) expect(inMicro.lt(takes.option)).toBe(true)
          const { rows } = await sql<{ kind: string; times: number }>`select kind, count(*)::int as times from ledger_event
            where uid = ${uid} and kind <> 'credit' group by kind`.execute(stage.database.db)
          const kinds = { withdraw: 'withdraw_request', transfer: 'transfer', exchange: 'exchange', trade: 'spot_order', deal: 'otc_order' }
          const expected = Object.entries(kinds).map(([name, kind]) => [kind, done[name as Name]] as const)
          const all = [...expected, ['lever_open', done.open + done.copy] as const, ['option_open', done.option] as const]
          expect(Object.fromEntries(rows.map(({ kind, times }) => [kind, times]))).toEqual(
            Object.fromEntries(all.filter(([, times]) => times > 0)),
          )
        }
        await expectSoundMoney(stage.database)
      })
      expect(await deadlocks()).toBe(0)
      // Medians of many rounds, in the full run alone, because other work of the machine may hold some up.
      if (!isFull) return
      const [atOnceMs, inTurnMs] = [percentile(slowest!, 0.5), percentile(inTurn!, 0.5)]
      console.log(`the slowest of fifty calls at once took ${Math.round(atOnceMs)} ms, all of them in turn ${Math.round(inTurnMs)} ms`)
      if (isPostgres) expect(atOnceMs).toBeLessThan(Math.max(answerMsMax, inTurnMs))
    } finally {
      await products.stop()
    }
  })

  test.skipIf(!isPostgres)('an order waits for no other change of its customer', async () => {
    const products = await productsOn(stage, nodes)
    try {
      const uid = await stage.user()
      await stage.credit(uid, 'USDT', '1000', 'change')
      const fields = { type: 'buy', amount: '0.004', currency_id: String(stage.idOf('BTC')), legal_id: String(stage.idOf('USDT')) }
      const order = { ...fields, tradeType: 'limit', target_price: '40000' }
      let isHeld = () => {}
      let letGo = () => {}
      const held = new Promise<void>((done) => (isHeld = done))
      const over = new Promise<void>((done) => (letGo = done))
      const holding = stage.database.transaction(async (tx) => {
        await stage.proofs.lock(tx, uid)
        isHeld()
        await over
      })
      await held
      try {
        expect(await products.callAt(0, 'c2c.trade', uid, order, randomUUID())).toMatchObject({ status: 'open' })
      } finally {
        letGo()
        await holding
      }
    } finally {
      await products.stop()
    }
  })

  test('twenty concurrent calls with one key have one effect and equal answers, for every call that moves money', async () => {
    const products = await productsOn(stage, nodes)
    try {
      const ready = readyOn(products)
      const { database, clock, secrets } = stage
      const once = createIdempotency({ database, clock, secrets, log: createLog('silent') })
      const outcomes = outcomeHandlers(once, products.spots[0]!.spot.answers)
      expect(Object.keys(ready).sort()).toEqual([...moneyCallNames].sort())
      async function round(): Promise<void> {
        for (const name of moneyCallNames) {
          const [one, twin] = [await ready[name](), await ready[name]()]
          const before = await products.holdings(one.uid)
          const key = randomUUID()
          const answer = (node: number) => untilKnown(() => products.callAt(node, name, one.uid, one.fields, key)).then(JSON.stringify)
          const answers = await Promise.all(Array.from({ length: 20 }, (_, node) => answer(node)))
          expect(new Set(answers).size, name).toBe(1)
          // Another customer has the same after one call.
          await products.callAt(0, name, twin.uid, twin.fields, randomUUID())
          const holdings = await products.holdings(one.uid)
          expect(holdings, name).toEqual(await products.holdings(twin.uid))
          expect(holdings, name).not.toEqual(before)
          // Long after it, too, nothing is done again.
          for (let node = 0; node < nodes; node++) expect(await answer(node), name).toBe(answers[0])
          const caller = { lang: 'en', token: 't', agent: '', ip: '127.0.0.1', user: { uid: one.uid, session: 's' } }
          expect(await outcomes['user.outcome']({ key }, caller), name).toEqual({ state: 'done', call: name, answer: answers[0] })
          expect(await products.holdings(one.uid), name).toEqual(holdings)
        }
      }
      const lane = async () => {
        for (let at = 0; at < sized(1, isPostgres ? 10 : 5); at++) await round()
      }
      await Promise.all(Array.from({ length: isFull ? 2 : 1 }, lane))
      await expectWholeStatements(database)
      await expectSoundMoney(stage.database)
    } finally {
      await products.stop()
    }
  })

  test('transfers in opposite directions between the same accounts never deadlock', async () => {
    const lastsMs = sized(1_000, isPostgres ? 30_000 : 5_000)
    const draw = chance()
    const owners = [await stage.user(), await stage.user(), await stage.user()]
    const accounts = owners.flatMap((uid, at) => kinds.slice(at ? 1 : 0).map((kind) => ({ uid, kind, sum: 1_000_000 })))
    expect(accounts).toHaveLength(10)
    for (const { uid, kind, sum } of accounts) await stage.credit(uid, 'USDT', String(sum), kind)
    const currency = stage.idOf('USDT')
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
