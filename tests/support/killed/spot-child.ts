import { createHash, randomUUID } from 'node:crypto'
import { ApiProblem } from '#contract/problem.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { openSpotNode, spotTraders } from '#tests/support/databases/spot-stage.ts'
import { ask, askedBefore, openArguments, pause, program } from '#tests/support/killed/program.ts'
import { say } from '#tests/support/say.ts'

/**
 * A node to be killed while customers trade on it. Its arguments name folder and address of the database, and `on` or `end`; standard input names
 * the keys that it tries first. It says `open`, then `try <key>` before each order with a new key, and `done <key> <state>` or `no <key>` when it
 * knows, and `lead` once it matches. With `end` it tries no new ones and ends. What a key does follows from the key: some orders are then moved, or
 * cancelled. Nodes hear nothing of each other but what stands in the database.
 */
const [, databaseUrl, how] = process.argv.slice(2)
const clients = 6

/** Others fill an order, or its customer cancels all of them, before it is moved. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiProblem && error.code === 'state_wrong')) throw error
}

async function run(): Promise<void> {
  const again = await askedBefore()
  const database = await openArguments()
  const node = await openSpotNode(database, { ...(databaseUrl && { bus: { ...createLocalBus(createLog('silent')), shared: true } }) })
  await node.spot.start()
  say('open')
  const watch = setInterval(() => {
    if (!node.spot.engine.leads()) return
    clearInterval(watch)
    say('lead')
  }, 20)

  function call(key: string): Promise<unknown> {
    const [who = 0, way = 0, far = 0, size = 0] = createHash('sha256').update(key).digest()
    const uid = spotTraders[who % spotTraders.length]!
    const text = `${way % 2 ? 'buy' : 'sell'} 0.00${1 + (size % 9)} at ${50_000 + ((far % 21) - 10)}`
    const order = async () => {
      const { id, status } = await node.order(uid, text, way % 5 === 0 ? { time_in_force: 'ioc' } : {}, key)
      const fields = { id: String(id), price: String(50_000 + ((size % 21) - 10)) }
      if (way % 3 === 1) await node.call('c2c.move', uid, fields, `${key}m`).catch(unlessEnded)
      if (way % 3 === 0) await node.call('c2c.cancelAll', uid, {}, `${key}c`)
      if (way % 3 === 2 && size % 2) await node.call('c2c.cancel', uid, { id: String(id) }, `${key}x`).catch(unlessEnded)
      return status
    }
    return ask(key, order, (status) => status)
  }

  for (const key of again) await call(key)
  if (how === 'end') {
    await node.close()
    clearInterval(watch)
    return database.close()
  }
  const client = async () => {
    for (;;) {
      const key = randomUUID()
      say(`try ${key}`)
      await call(key)
      // Some calls are under way at any time; a node that waits for its turn leaves the machine to others.
      if (!node.spot.engine.leads()) await pause(20)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

program(run)
