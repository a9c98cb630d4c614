import { expect, test } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { openSpotNode, type SpotNode } from '#tests/support/databases/spot-stage.ts'

const hourMs = 3_600_000

onEngines('the book on a clock that jumps', (engine) => {
  test.each([
    ['back', -hourMs],
    ['forward', 30 * 24 * hourMs],
    ['by a leap second', -1_000],
  ])('%s: who came first is served first, also by the node that takes over', async (_says, jump) => {
    const database = await engine.open(migrations)
    let node: SpotNode = await openSpotNode(database)
    await node.spot.start()
    const sellers: number[] = []
    for (let n = 1; n <= 4; n++) {
      sellers.push(await node.user(530_000 + n))
      await node.credit(sellers.at(-1)!, 'BTC', '1')
    }
    const [first, second, third, fourth] = sellers as [number, number, number, number]
    const buyer = await node.user(530_000)
    await node.credit(buyer, 'USDT', '100000')
    const filled = async () => {
      const lists = await Promise.all(sellers.map((uid) => node.call('c2c.orderList', uid)))
      return lists.map(({ list }) => list.map(({ filled }) => filled).join())
    }
    try {
      await node.order(first, 'sell 0.2 at 50000')
      node.later(jump)
      await node.order(second, 'sell 0.2 at 50000')
      await node.order(buyer, 'buy 0.1 at 50000')
      expect(await filled()).toEqual(['0.1', '0', '', ''])
      // The node that takes over has its books from the table alone.
      await node.order(third, 'sell 0.2 at 50000')
      await node.close()
      node = await openSpotNode(database)
      await node.spot.start()
      await node.order(fourth, 'sell 0.2 at 50000')
      await node.order(buyer, 'buy 0.4 at 50000')
      expect(await filled()).toEqual(['0.2', '0.2', '0.1', '0'])

      const { list } = await node.call('c2c.orderList', first)
      expect(list[0]!.changed).toBeGreaterThanOrEqual(list[0]!.created)
      const { list: fills } = await node.call('c2c.fills', buyer)
      expect(fills.map(({ quantity }) => quantity)).toEqual(['0.1', '0.2', '0.1', '0.1'])
      await expectSoundMoney(database)
    } finally {
      await node.close()
    }
  })
})
