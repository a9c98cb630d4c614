import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followLimits } from '#api-server/follow/follow.rules.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { expectOneEffect, expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { expectCopiedByTheRules } from '#tests/support/databases/follow-scan.ts'
import { expectFiredAsTheLogSays } from '#tests/support/databases/lever-scan.ts'
import { expectSettledAsTheLogSays } from '#tests/support/databases/option-scan.ts'
import { type ProductsStage, productsFor } from '#tests/support/databases/products-stage.ts'
import { refusedAfterwards, severalEvents, withoutEvent } from '#tests/support/databases/simulation-plan.ts'
import { openWalletStage, start } from '#tests/support/databases/wallet-stage.ts'
import { eventually } from '#tests/support/eventually.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, isFull, sized, withSeed } from '#tests/support/house/sizes.ts'
import { beginLoad, loadKey } from '#tests/support/killed/load.ts'
import { type KilledNode, openPlace, type Place, startNode } from '#tests/support/killed/node.ts'
import type { Task } from '#tests/support/killed/product-child.ts'
import { isTimed, type RowName, rowNames, tableOn } from '#tests/support/people/product-works.ts'
import { percentile } from '#tests/support/percentile.ts'

/** So long a node may take from its start to its first call after one that was killed; beside other work, twice what it takes after one that ended. */
const readyMsMax = 5_000
/** So long a price that was reached, or an order, may wait when the node that acts is killed. */
const takeOverMsMax = 5_000
const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
/** A key that a killed node held is free after so long, and a copy is not late yet. */
const abandonedMs = 31_000
/** More transactions than any row causes. */
const transactionsMost = 20

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/product-child.ts')
})
afterAll(() => child?.remove())

const named = (asked: string) => {
  const [key = '', uid, name] = asked.split(' ')
  return { key, uid: Number(uid), name: name as RowName }
}
const startTask = (place: Place, task: Task, again: readonly string[] = []) => startNode(child.file, place, [JSON.stringify(task)], again)

/** In `npm test`, one point of each product. */
const quick: readonly (readonly [RowName, string])[] = [
  ['wallet.sent', '2 after'],
  ['user.real', '1 before'],
  ['lever.stopLoss', '3 before'],
  ['mic.won', '1 before'],
  ['c2c.trade', '1 after'],
  ['follow.closed', '1 after'],
  ['otc.order', '1 before'],
  ['dual.settled', '1 after'],
  ['ieo.allocated', '1 after'],
  ['mining.deposit', '1 after'],
]
const productOf = (name: RowName) => name.split('.')[0]!

onEngines('products when the node is killed at a point', (engine) => {
  test('each call that is made again, and each work that goes on, has the effect of one that was done once', async () => {
    const place = await engine.place()
    const asked: ReturnType<typeof named>[] = []
    const killedAt = new Map<RowName, number>()
    const refused: string[] = []
    let [startAt, unknown]: [number, string[]] = [start, []]
    /** Starts a node that goes on with what the one before left open. @returns whether it was killed */
    async function run(task: Omit<Task, 'startAt'>): Promise<boolean> {
      const node = startTask(place, { ...task, startAt }, unknown)
      const isKilled = await node.isKilled()
      refused.push(...node.of('no'))
      asked.push(...node.of('try').map(named))
      unknown = node.unknown()
      startAt = Number(node.of('now').at(-1)) + abandonedMs
      return isKilled
    }
    async function press(name: RowName, point: string): Promise<boolean> {
      const isKilled = await run({ how: 'once', rows: [name], point })
      if (isKilled) killedAt.set(name, (killedAt.get(name) ?? 0) + 1)
      return isKilled
    }
    if (isFull)
      for (const name of rowNames) {
        let n = 1
        while (n <= transactionsMost && (await press(name, `${n} before`)) && (await press(name, `${n} after`))) n++
        expect([name, n]).toEqual([name, expect.toSatisfy((at: number) => at <= transactionsMost)])
      }
    else for (const [name, point] of quick) await press(name, point)
    expect(await run({ how: 'end' })).toBe(false)
    expect(unknown).toEqual([])
    const pressed = isFull ? rowNames : quick.map(([name]) => name)
    expect([...killedAt.keys()].sort()).toEqual([...pressed].sort())
    expect(new Set(pressed.map(productOf))).toEqual(new Set(rowNames.map(productOf)))
    if (isFull) console.log([...killedAt].map(([name, points]) => `${name} ${points}`).join(', '))
    const database = await openPlace(place)
    try {
      await expectEachOnce(database, asked, tooLate(refused))
      await expectSoundMoney(database)
    } finally {
      await database.close()
    }
  })
})

/** Keys of exchanges that came too late: a rate is offered for a few seconds, and the next node comes later. Nothing else is refused. */
function tooLate(refused: readonly string[]): Set<string> {
  expect(refused.filter((line) => !line.endsWith(' quote_expired'))).toEqual([])
  return new Set(refused.map((line) => line.replace(' quote_expired', '')))
}

async function withProducts<T>(database: Database, work: (stage: ProductsStage) => Promise<T>): Promise<T> {
  const stage = await productsFor(await openWalletStage({ open: async () => database }))
  try {
    return await work(stage)
  } finally {
    await stage.stop()
  }
}

/** Customers of the same row have the same, also those whose node was killed meanwhile; what came too late has done nothing. */
async function expectEachOnce(database: Database, made: readonly ReturnType<typeof named>[], late: ReadonlySet<string>): Promise<void> {
  await withProducts(database, async (stage) => {
    const table = tableOn(stage)
    for (const name of rowNames) {
      const holdings = new Map<string, number[]>()
      for (const { key, uid } of made.filter((one) => one.name === name)) {
        const held = await stage.holdings(uid)
        if (name === 'wallet.exchange' && late.has(key)) {
          expect(held).not.toHaveProperty('event exchange')
          continue
        }
        const { leaves } = table[name]
        if (leaves) expect([name, held]).toEqual([name, expect.objectContaining({ [leaves]: '1' })])
        // At a price that stays as it is, an option gives the stake back; whether its end had a price depends on when nodes ran.
        const has = JSON.stringify(Object.entries(held).sort()).replace('option_order void', 'option_order draw')
        holdings.set(has, [...(holdings.get(has) ?? []), uid])
      }
      expect(holdings.size, `${name}: ${JSON.stringify([...holdings])}`).toBeLessThanOrEqual(1)
    }
  })
}

onEngines(
  'products when the node is killed at any time',
  (engine) => {
    const rounds = engine.name === 'pglite' ? 10 : 30
    // The clock of one database stays within a day: a night would charge contracts that are compared.
    test.for(Array.from({ length: sized(1, 1) }, (_, at) => at))(
      'what was acknowledged is there once, prices that were reached act once, and copies go with their positions (%i)',
      { tags: 'full' },
      async () => {
        const place = await engine.place()
        const draw = chance()
        await withSeed(draw, async () => {
          const first = await openPlace(place)
          let [load, startAt] = await withProducts(first, async (stage) => [await beginLoad(stage), stage.lever.now()] as const)
          await first.close()
          const [asked, done, was] = [new Map<string, ReturnType<typeof named>>(), new Map<string, string>(), new Map<string, string>()]
          const [refused, readyMs, cut] = [[] as string[], [] as number[], new Map<string, number>()]
          let unknown: string[] = []
          function note(node: KilledNode): void {
            for (const line of node.of('try')) asked.set(named(line).key, named(line))
            for (const [key, id = ''] of node.of('done').map((line) => line.split(' ') as [string, string?])) {
              // Of a call that is made again the answer is the same.
              expect([undefined, id]).toContain(done.get(key))
              done.set(key, id)
            }
            for (const [id, status] of node.of('was').map((line) => line.split(' ') as [string, string])) was.set(id, status)
            refused.push(...node.of('no'))
            unknown = node.unknown()
            startAt = Number(node.of('now').at(-1) ?? startAt)
          }
          for (let round = 0; round < rounds; round++) {
            // In some order, so that work of all kinds is under way when a node is killed.
            const rows = rowNames.filter((name) => !isTimed(name)).sort(() => draw.next() - 0.5)
            const startedAt = performance.now()
            const node = startTask(place, { how: 'on', startAt, rows, load, seed: draw.below(2 ** 31) }, unknown)
            if (round % 5 === 4) await pause(draw.next() * readyMs.at(-1)!)
            else {
              const least = 1 + draw.below(30)
              await node.until(() => node.of('work').length >= least && node.of('try').length >= 4 * least)
              // Every other one as soon as a price has reached something.
              const fired = node.of('fires').length
              if (round % 2) await node.until(() => node.of('fires').length > fired)
              await pause((round % 2 ? 10 : 40) * draw.next() ** 2)
            }
            await node.kill()
            if (round > 0 && node.says('ready')) readyMs.push(node.saidAt('ready')! - startedAt)
            else if (round === 0) readyMs.push(readyMsMax)
            note(node)
            for (const line of unknown) cut.set(named(line).name, (cut.get(named(line).name) ?? 0) + 1)
            // Some nodes come back too late for what was opened last.
            startAt += draw.of([abandonedMs, abandonedMs + 10_000, abandonedMs + followLimits.lateMs])
            // In some rounds the database server is killed too, and recovers.
            if (round % 4 === 2) await engine.restart?.()
          }
          const last = startTask(place, { how: 'end', startAt }, unknown)
          await last.end()
          note(last)
          expect(unknown).toEqual([])
          // Nodes that start after one that ended by itself.
          const endedMs: number[] = []
          for (let at = 0; at < 3; at++) {
            const startedAt = performance.now()
            const next = startTask(place, { how: 'end', startAt: startAt + abandonedMs })
            await next.end()
            note(next)
            endedMs.push(next.saidAt('ready')! - startedAt)
          }
          expect(cut.size).toBeGreaterThan(0)
          const database = await openPlace(place)
          try {
            const isLoad = (key: string) => key.startsWith(loadKey)
            await expectEachOnce(
              database,
              [...asked.values()].filter(({ key }) => !isLoad(key)),
              tooLate(refused.filter((line) => !isLoad(line))),
            )
            await expectLoadKept(database, { asked, done, refused: refused.filter(isLoad), was })
            expect(await expectFiredAsTheLogSays(database)).toBeGreaterThan(0)
            await expectCopiedByTheRules(database, { poor: [load.poor] })
            expect(await expectSettledAsTheLogSays(database)).toEqual(expect.arrayContaining(['won', 'lost']))
            await expectSoundMoney(database)
          } finally {
            await database.close()
          }
          // Medians, because other work of the machine may hold a node up. The first round waits for no node before it.
          const [killed, ended] = [readyMs.slice(1), endedMs].map((times) => percentile(times, 0.5)) as [number, number]
          expect(killed).toBeLessThanOrEqual(Math.max(readyMsMax, 2 * ended))
          const cuts = [...cut].map(([name, times]) => `${times} ${name}`).join(', ')
          console.log(
            `ready ${Math.round(killed)} ms after a kill, ${Math.round(ended)} ms after an end; ${asked.size} calls; cut: ${cuts}`,
          )
        })
      },
    )
  },
  { ownServer: true },
)

interface Said {
  asked: ReadonlyMap<string, ReturnType<typeof named>>
  /** By key, the id that was acknowledged. */
  done: ReadonlyMap<string, string>
  refused: readonly string[]
  /** By order of OTC, how it was decided. */
  was: ReadonlyMap<string, string>
}
/** Calls whose answer names the row that their event in the ledger is about. */
const openers = ['lever.orderOpen', 'lever.close', 'mic.orderOpen', 'c2c.trade', 'otc.order', 'wallet.withdraw']

/** Every acknowledged call is there once, with the id that was acknowledged; no refused one is; no order is left half done. */
async function expectLoadKept(database: Database, { asked, done, refused, was }: Said): Promise<void> {
  const nameOf = (key: string) => asked.get(key)?.name ?? ''
  const among = (names: readonly string[]) => (key: string) => names.includes(nameOf(key))
  const own = [...done.keys()].filter((key) => key.startsWith(loadKey))
  await expectOneEffect(database, {
    done: own.filter((key) => !among(withoutEvent)(key) && nameOf(key) !== 'follow.selfHolding'),
    refused: refused.map((line) => line.split(' ')[0]!).filter((key) => !among(refusedAfterwards)(key)),
    severalEvents: among(severalEvents),
  })
  const { db } = database
  const opened = own.filter(among(openers))
  const events = await db.selectFrom('ledger_event').select(['key', 'source']).where('key', 'in', opened).execute()
  const linesOf = (list: readonly { key: string | null; id: string }[]) => list.map(({ key, id }) => `${key} ${id}`).sort()
  expect(linesOf(events.map(({ key, source }) => ({ key, id: source.split(':')[1]! })))).toEqual(
    linesOf(opened.map((key) => ({ key, id: done.get(key)! }))),
  )
  // No event belongs to a call that nobody has asked.
  const keys = await db.selectFrom('ledger_event').select('key').distinct().where('key', 'like', `${loadKey}%`).execute()
  expect(keys.filter(({ key }) => !done.has(key!) && !among(refusedAfterwards)(key!))).toEqual([])
  // Each has its answer, in the same transaction as what it did.
  const answered = await sql<{ key: string }>`select key from once_key where answer is not null or sealed is not null`.execute(db)
  const answers = new Set(answered.rows.map(({ key }) => key))
  expect(own.filter((key) => !answers.has(key))).toEqual([])
  const orders = await db.selectFrom('otc_order').select(['id', 'status']).execute()
  const statusOf = new Map(orders.map(({ id, status }) => [String(id), status as string]))
  expect([...was].filter(([id, status]) => statusOf.get(id) !== status)).toEqual([])
  expect(was.size).toBeGreaterThan(0)
  const waits = await sql`select id from spot_order where status = 'new' or cancelling or moving is not null`.execute(db)
  expect(waits.rows).toEqual([])
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from spot_fill`.execute(db)
  expect(rows[0]!.count).toBeGreaterThan(0)
}

onEngines('products on two nodes', (engine) => {
  test.skipIf(engine.name === 'pglite')(
    'one acts on prices and matches orders, and the other one does when it is killed',
    { tags: 'full' },
    async () => {
      const place = await engine.place()
      const database = await openPlace(place)
      const nodes: KilledNode[] = []
      // Prices and calls come from this process, which runs for all rounds.
      const bus = { ...createLocalBus(createLog('silent')), shared: true }
      const stage = await productsFor(await openWalletStage({ open: async () => database }), { bus })
      const { wallet, lever } = stage
      const startOther = () => {
        const node = startTask(place, { how: 'other', startAt: start })
        nodes.push(node)
        return node
      }
      try {
        lever.tick('50000')
        const [uid, seller] = [await wallet.user(), await wallet.user()]
        for (const kind of ['change', 'lever'] as const) await wallet.credit(uid, 'USDT', '100000', kind)
        await wallet.credit(seller, 'BTC', '10')
        const closings = (id: number) =>
          database.db.selectFrom('lever_close').select(['reason', 'price']).where('position_id', '=', id).execute()
        const spot = { amount: '0.001', currency_id: '1', legal_id: '3', tradeType: 'limit', target_price: '50000' }
        const waits: number[] = []
        let other = startOther()
        await other.until(() => other.says('acts') && other.says('matches'))
        for (let round = 0; round < 30; round++) {
          const acting = other
          other = startOther()
          lever.tick('50000')
          const order = { match_id: 'BTCUSDT', lots: '1', multiple: '20', side: 'long', stop_loss_price: '49900' }
          const { id } = await stage.call('lever.orderOpen', uid, order)
          await other.until(() => other.says('ready'))
          expect([other.says('acts'), other.says('matches')]).toEqual([false, false])
          await pause(1_000 * Math.random())
          const killedAt = performance.now()
          await acting.kill()
          lever.tick('49890')
          const sides = [stage.call('c2c.trade', uid, { ...spot, type: 'buy' }), stage.call('c2c.trade', seller, { ...spot, type: 'sell' })]
          const closed = eventually(() => closings(id)).toMatchObject([{ reason: 'stop_loss', price: expect.stringMatching(/^49890/) }])
          const met = Promise.all(sides).then(() =>
            eventually(async () => (await database.db.selectFrom('spot_fill').select('id').execute()).length).toBe(round + 1),
          )
          await Promise.all([closed, met].map((work) => Promise.resolve(work).then(() => waits.push(performance.now() - killedAt))))
        }
        console.log(`another node acts and matches ${waits.map((ms) => Math.round(ms)).join(', ')} ms after the one before was killed`)
        // The median of many, because other work of the machine may hold a node up.
        expect(percentile(waits, 0.5)).toBeLessThanOrEqual(takeOverMsMax)
        expect(await expectFiredAsTheLogSays(database)).toBe(30)
        await expectSoundMoney(database)
      } finally {
        for (const node of nodes) await node.stop()
        await stage.stop()
        await database.close()
      }
    },
  )
})
