import { expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type Simulation, simulate, withShortLeases } from '#tests/support/databases/simulation.ts'
import { type Beginning, customerCount, drawSteps, nodeCount } from '#tests/support/databases/simulation-plan.ts'
import { eventually } from '#tests/support/eventually.ts'
import { isFull, sized, testSeed, withSeed } from '#tests/support/house/sizes.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/*
 * The calls to each node, the faults and their times, the fate of each message of the bus and the commits that fail are drawn from the seed
 * before the first step, so a seed repeats all of it:
 * `TEST_SEED=… TEST_FULL=1 npx vitest run --project store api-server/ledger/simulation`. The nodes work side by side on a real PostgreSQL,
 * though: which of two calls of a step comes first at a lock, and which commit of a node is its third, is up to the machine, as are the
 * leases, which run on the clock of the database, and the numbers of requests, by which operators decide. A failure that hangs on such an
 * order may take several runs of its seed.
 */

const seeds = sized(1, 50)
const operations = isFull ? 1_000 : 180
/** Operations of a step, on the average. */
const each = isFull ? 20 : 6

onEngines('several nodes with faults', (engine) => {
  const on = test.skipIf(engine.name === 'pglite')
  on.for(Array.from({ length: seeds }, (_, at) => at))(
    'money is sound after each step, and each call has one effect, whatever fails (%i)',
    (at) => withShortLeases(() => run(testSeed() + at)),
  )

  on('the same seed asks for the same, in the same order, and has the same fail', async () => {
    await withShortLeases(async () => {
      const seed = testSeed()
      const recorded = () =>
        inWorld(seed, async (world, begun) => {
          for (const step of drawSteps(seed, 20, 5, begun)) await world.step(step)
          return world.record
        })
      const record = await recorded()
      expect(record.filter((line) => line.includes('customer'))).toHaveLength(20)
      expect(await recorded()).toEqual(record)
      const begun = { offer: 1, trader: 1, addresses: [], pictures: [] }
      expect(drawSteps(seed + 1, 20, 5, begun)).not.toEqual(drawSteps(seed, 20, 5, begun))
    })
  })

  async function open(world: Simulation): Promise<Beginning> {
    const [node] = world.nodes
    const { wallet, follow, otc } = node!
    const addresses: string[] = []
    await eventually(() => world.tick('50000')).toBe(true)
    while (world.customers.length < customerCount) {
      const uid = await wallet.user()
      for (const kind of ['change', 'lever', 'micro'] as const) await wallet.credit(uid, 'USDT', '20000', kind)
      await wallet.credit(uid, 'BTC', '1')
      world.customers.push(uid)
      addresses.push(await wallet.address(uid))
    }
    const [trader, ...others] = world.customers as [number, ...number[]]
    await follow.accept(trader)
    for (const uid of others.slice(0, 3))
      await node!.call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5' })
    const pictures = world.customers.map((uid) => `/api/upload/${uid}-proof`)
    return { trader, addresses, pictures, offer: await otc.offer({ price: '50000', amount_min: '0.001', whole: '1000' }) }
  }

  async function inWorld<T>(seed: number, work: (world: Simulation, begun: Beginning) => Promise<T>): Promise<T> {
    const world = await simulate(await engine.place(), seed)
    try {
      return await withSeed({ seed }, async () => work(world, await open(world)))
    } finally {
      await world.close()
    }
  }

  const run = (seed: number) =>
    inWorld(seed, async (world, begun) => {
      for (const [at, step] of drawSteps(seed, operations, each, begun).entries()) {
        await world.step(step).catch((cause: unknown) => {
          const said = cause instanceof Error ? cause.message : String(cause)
          throw new Error(`step ${at}: ${said}\n${world.record.slice(-60).join('\n')}`, { cause })
        })
      }
      await settle(world)
      const [failed, messages, decided] = [world.failedCommits(), world.network.counts(), world.decided()]
      const answered = Object.fromEntries(world.answered)
      console.log(
        `TEST_SEED=${seed}: ${JSON.stringify({ done: world.done.size, refused: world.refused.size, answered, decided, failed, messages })}`,
      )
      expect(world.done.size).toBeGreaterThan(operations / 10)
      expect(decided).toBeGreaterThan(0)
      for (const count of [...Object.values(failed), ...Object.values(messages)]) expect(count).toBeGreaterThan(0)
    })

  /** Every call has an outcome, what is due is settled, and every node knows the last price, whatever the bus has lost of it. */
  async function settle(world: Simulation): Promise<void> {
    world.mend()
    // Longer than any clock was ahead.
    world.later(2 * 3_600_000)
    await eventually(() => world.tick('50000')).toBe(true)
    await eventually(async () => {
      await world.askAgain()
      return world.unknown()
    }).toBe(0)
    for (let at = 0; at < 20; at++) {
      world.later(4_000)
      await eventually(() => world.tick('50000')).toBe(true)
    }
    const waiting = async () => {
      await world.work()
      const { db } = world.database
      const options = await db.selectFrom('option_order').select('id').where('settled_at', 'is', null).execute()
      const requests = await db.selectFrom('funding').select('id').where('status', 'in', ['reviewing', 'approved', 'sent']).execute()
      return options.length + requests.length
    }
    await eventually(waiting).toBe(0)
    await world.check()
    await eventually(() => world.push('50001')).toBe(true)
    await eventually(() => world.prices()).toEqual(Array(nodeCount).fill('50001.00'))
  }
})
