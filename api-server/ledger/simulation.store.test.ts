import { expect, test } from 'vitest'
import { leaseLimits } from '#server-kit/ops/lease.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { type SimulatedNode, simulate } from '#tests/support/databases/simulation.ts'
import { eventually } from '#tests/support/eventually.ts'
import { chance, isFull, sized, testSeed, withSeed } from '#tests/support/house/sizes.ts'
import type { MoneyCall } from '#tests/support/people/product-calls.ts'
import { inputs } from '#tests/support/right-inputs.ts'

const seeds = sized(1, 6)
const steps = isFull ? 50 : 30
/** A key that a node holds that has ended is free after so long. */
const abandonedMs = 31_000
const faults = ['none', 'none', 'cut', 'cut', 'kill', 'lease', 'clock', 'clock'] as const

onEngines('several nodes with faults', (engine) => {
  test.skipIf(engine.name === 'pglite')(
    'money is sound after each step, and each call has one effect: the database cut off, leases lost, nodes killed, clocks set',
    async () => {
      const limits = leaseLimits as { lengthMs: number; renewEveryMs: number }
      const usual = { ...leaseLimits }
      Object.assign(limits, { lengthMs: 2_000, renewEveryMs: 400 })
      try {
        const first = testSeed()
        for (let at = 0; at < seeds; at++) await run(first + at)
      } finally {
        Object.assign(limits, usual)
      }
    },
  )

  async function run(seed: number): Promise<void> {
    const draw = chance(seed)
    const world = await simulate(await engine.place(), 3)
    try {
      await withSeed(draw, async () => {
        const [node] = world.nodes as [SimulatedNode]
        await eventually(() => world.tick('50000')).toBe(true)
        const customers: number[] = []
        for (let n = 0; n < 6; n++) {
          const uid = await node.wallet.user()
          for (const kind of ['change', 'lever', 'micro'] as const) await node.wallet.credit(uid, 'USDT', '20000', kind)
          customers.push(uid)
        }
        const [trader] = customers as [number]
        await node.follow.accept(trader)
        for (const uid of customers.slice(1, 4))
          await node.call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5' })
        const offer_id = String(await node.otc.offer({ price: '50000', amount_min: '0.001', whole: '1000' }))

        /** What customers may still change, as they were told of it. */
        const mine = { 'lever.close': [], 'lever.cancel': [], 'c2c.cancel': [], 'otc.cancel': [] } as Record<string, [number, number][]>
        let price = 50_000
        const market = { match_id: 'BTCUSDT', multiple: '20' }
        const opening: Record<string, () => [MoneyCall, Record<string, string>]> = {
          open: () => ['lever.orderOpen', { ...market, side: draw.of(['long', 'short']), lots: `${1 + draw.below(5)}` }],
          order: () => ['lever.orderOpen', { ...market, side: 'long', lots: '1', type: 'limit', price: `${price - 20}` }],
          option: () => [
            'mic.orderOpen',
            { match_id: 'BTCUSDT', currency_id: '3', type: draw.of(['up', 'down']), seconds: draw.of(['30', '60']), number: '50' },
          ],
          spot: () => [
            'c2c.trade',
            {
              ...{ type: draw.of(['buy', 'buy', 'sell']), amount: '0.002', currency_id: '1', legal_id: '3', tradeType: 'limit' },
              target_price: `${50_000 + draw.below(5) - 2}`,
            },
          ],
          deal: () => ['otc.order', { offer_id, amount: '0.002' }],
          transfer: () => ['wallet.transfer', { currency_id: '3', amount: '10', from: draw.of(['change', 'micro']), to: 'lever' }],
        }
        const after: Record<string, string> = { open: 'lever.close', order: 'lever.cancel', spot: 'c2c.cancel', deal: 'otc.cancel' }

        async function oneCall(): Promise<void> {
          const at = draw.of(world.nodes)
          const ending = draw.of(Object.keys(mine))
          if (draw.next() < 0.3 && mine[ending]!.length) {
            const [[owner, id]] = mine[ending]!.splice(draw.below(mine[ending]!.length), 1) as [[number, number]]
            return void (await world.ask(at, ending as MoneyCall, owner, { id: String(id) }))
          }
          const what = draw.of(Object.keys(opening))
          // The trader opens often, so that there is much to copy.
          const uid = what === 'open' && draw.next() < 0.5 ? trader : draw.of(customers)
          const [name, fields] = opening[what]!()
          const answer = await world.ask(at, name, uid, fields)
          const list = after[what]
          if (list && answer?.id !== undefined) mine[list]!.push([uid, answer.id])
        }
        async function fault(): Promise<string> {
          const [what, at] = [draw.of(faults), draw.of(world.nodes)]
          const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
          await pause(30 * draw.next())
          if (what === 'cut') {
            at.cable.cut()
            await pause(draw.of([50, 300, 2_500]))
            at.cable.mend()
          } else if (what === 'kill') await world.kill(at)
          else if (what === 'lease') await world.loseLeases()
          else if (what === 'clock') world.apart(at, draw.of([0, 0, -5_000, 5_000, 40_000, -40_000, 3_600_000]))
          return what
        }

        const told: string[] = []
        for (let step = 0; step < steps; step++) {
          world.later(draw.of([200, 1_000, 5_000, 15_000]))
          price += draw.below(41) - 20
          await world.tick(String(price))
          const calls = Array.from({ length: 2 + draw.below(10) }, oneCall)
          const [what] = await Promise.all([fault(), ...calls])
          told.push(what)
          // Jobs that every node does from time to time; one that is cut off fails.
          await Promise.allSettled(world.nodes.flatMap((one) => [one.mic.settle(), one.follow.follows[0]!.pass()]))
          await world.askAgain(draw, abandonedMs)
          await world.check().catch((cause: unknown) => {
            throw new Error(`step ${step} of ${told.join(', ')}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
          })
        }

        for (const one of world.nodes) {
          one.cable.mend()
          world.apart(one, 0)
        }
        // Longer than any clock was ahead.
        world.later(2 * 3_600_000)
        await eventually(() => world.tick('50000')).toBe(true)
        await eventually(async () => {
          await world.askAgain(draw, abandonedMs)
          return world.unknown()
        }).toBe(0)
        for (let at = 0; at < 20; at++) {
          world.later(4_000)
          await eventually(() => world.tick('50000')).toBe(true)
        }
        const waiting = async () => {
          await Promise.all(world.nodes.flatMap((one) => [one.mic.settle(), one.follow.follows[0]!.pass()]))
          const options = world.database.db.selectFrom('option_order').select('id').where('settled_at', 'is', null)
          return (await options.execute()).length
        }
        await eventually(waiting).toBe(0)
        await world.check()
        expect(world.done.size).toBeGreaterThan(steps)
        console.log(`TEST_SEED=${seed}: ${world.done.size} calls done, ${world.refused.size} refused; faults: ${told.join(', ')}`)
      })
    } finally {
      await world.close()
    }
  }
})
