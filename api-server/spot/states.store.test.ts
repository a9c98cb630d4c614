import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { type SpotState, spotStates } from '#contract/calls/c2c.calls.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, type SpotNode } from '#tests/support/databases/spot-stage.ts'
import { refused } from '#tests/support/databases/wallet-stage.ts'

/** An order is new only until the node that matches has looked at it. */
type Resting = Exclude<SpotState, 'new'>
const states = spotStates.filter((state): state is Resting => state !== 'new')

onEngines('states of spot orders', (engine) => {
  let node: SpotNode
  let people = 510_000
  beforeAll(async () => {
    node = await openSpotNode(await engine.open(migrations))
    await node.spot.start()
  })
  afterAll(() => node.close())

  async function customer(): Promise<number> {
    const uid = await node.user(++people)
    await node.credit(uid, 'USDT', '10000')
    await node.credit(uid, 'BTC', '1')
    return uid
  }
  /** An order of the state, of a customer of its own; nothing else stands in the book. */
  async function orderOf(state: Resting): Promise<{ uid: number; id: string }> {
    const [uid, other] = [await customer(), await customer()]
    if (state === 'rejected') {
      const { id: standing } = await node.order(other, 'sell 0.1 at 49500')
      expect(await refused(node.order(uid, 'buy 0.1 at 49500', { time_in_force: 'post_only' }))).toBe('order_would_match')
      await node.call('c2c.cancel', other, { id: String(standing) })
    } else {
      const { id } = await node.order(uid, 'buy 0.1 at 49500')
      if (state === 'partial') await node.order(other, 'sell 0.04 at 49500')
      if (state === 'filled') await node.order(other, 'sell 0.1 at 49500')
      if (state === 'cancelled') await node.call('c2c.cancel', uid, { id: String(id) })
    }
    const { id, status } = await stored(uid)
    expect(status).toBe(state)
    return { uid, id: String(id) }
  }
  const stored = (uid: number) => node.database.db.selectFrom('spot_order').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow()
  const everything = async (uid: number) => [await stored(uid), await node.has(uid, 'USDT'), await node.has(uid, 'BTC')]

  const calls = {
    'c2c.cancel': { for: ['open', 'partial'], input: {} },
    'c2c.move': { for: ['open', 'partial'], input: { price: '49400' } },
  } as const
  const names = Object.keys(calls) as (keyof typeof calls)[]
  test.each(states.flatMap((state) => names.map((name) => [state, name] as const)))('%s: %s', async (state, name) => {
    const { uid, id } = await orderOf(state)
    const before = await everything(uid)
    const { for: allowed, input } = calls[name]
    const answer = await refused(node.call(name, uid, { id, ...input }))
    if ((allowed as readonly SpotState[]).includes(state)) expect(answer).toMatch(/^answered/)
    else {
      expect(answer).toBe('state_wrong id')
      expect(await everything(uid)).toEqual(before)
    }
    await node.call('c2c.cancelAll', uid)
    expect(node.spot.depth('BTCUSDT', 20)).toEqual({ bids: [], asks: [] })
  })
})
