import { createHash, randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { openSpotNode, spotTraders } from '#tests/support/databases/spot-stage.ts'
import { say } from '#tests/support/say.ts'

/**
 * A node to be killed while customers trade on it. Its arguments name folder and address of the database; its first line on standard input says
 * `on` or `end`, and the keys that it tries first. It says `open`, then `try <key>` before each order with a new key and `done <key> <state>` or
 * `no <key>` when it knows, and `lead` once it matches. With `end` it tries no new ones and ends. What a key does follows from the key. Nodes
 * hear nothing of each other but what stands in the database.
 */
const [dataDir = '', databaseUrl] = process.argv.slice(2)
const clients = 6

async function run(): Promise<void> {
  const first = await new Promise<string>((done) => createInterface(process.stdin).once('line', done))
  const [how, ...again] = first.split(' ').filter(Boolean)
  const log = createLog('silent')
  const database = await openDatabase({ dataDir, databaseUrl, log, onFatal: () => process.exit(70), migrations })
  const node = await openSpotNode(database, { ...(databaseUrl && { bus: { ...createLocalBus(log), shared: true } }) })
  await node.spot.start()
  say('open')
  const watch = setInterval(() => {
    if (!node.spot.engine.leads()) return
    clearInterval(watch)
    say('lead')
  }, 20)

  async function call(key: string): Promise<void> {
    const [who = 0, way = 0, far = 0, size = 0] = createHash('sha256').update(key).digest()
    const price = 50_000 + ((far % 21) - 10)
    try {
      const text = `${way % 2 ? 'buy' : 'sell'} 0.00${1 + (size % 9)} at ${price}`
      const { status } = await node.order(spotTraders[who % spotTraders.length]!, text, way % 5 === 0 ? { time_in_force: 'ioc' } : {}, key)
      if (way % 3 === 0) await node.call('c2c.cancelAll', spotTraders[who % spotTraders.length]!, {}, `${key}c`)
      say(`done ${key} ${status}`)
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined
      if (code === 'outcome_unknown' || code === 'busy') return call(key)
      if (code === undefined) throw error
      say(`no ${key} ${code}`)
    }
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
      if (!node.spot.engine.leads()) await new Promise((wake) => setTimeout(wake, 20))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

run().catch((error: unknown) => {
  // With its causes.
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(1)
})
