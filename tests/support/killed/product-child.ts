import { randomUUID } from 'node:crypto'
import type { Database } from '#server-kit/db/db.ts'
import { writeAny } from '#server-kit/db/db.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { type ProductsStage, productsFor } from '#tests/support/databases/products-stage.ts'
import { openWalletStage } from '#tests/support/databases/wallet-stage.ts'
import { type Load, runLoad } from '#tests/support/killed/load.ts'
import { ask, askedBefore, openArguments, program } from '#tests/support/killed/program.ts'
import { type RowName, tableOn, usualPrices } from '#tests/support/people/product-works.ts'
import { say } from '#tests/support/say.ts'
import { until } from '#tests/support/until.ts'

/** The task of the process: its third argument, as JSON, after folder and address of the database. */
export interface Task {
  /**
   * `once`: each row once and then once more, to be killed at the point. `on`: all rows again and again, beside the load, until it is killed.
   * `end`: nothing new; it lets everything come to its end. `other`: it acts on prices and matches orders as soon as no other node does, and says
   * `acts` and `matches` then.
   */
  how: 'once' | 'on' | 'end' | 'other'
  /** Time of its clock at its start, ms UTC. */
  startAt: number
  rows?: readonly RowName[]
  /** `2 before` is right before the commit of the second transaction that a row causes, `2 after` right after it. */
  point?: string
  load?: Load
  seed?: number
}
/**
 * A process to be killed, with all products. Standard input names what it does first, each line as `<key> <customer> <row> <fields>`: what another
 * process has set off, of which nobody knows what became. It says `ready` once it takes calls, `try <key> <customer> <row> <fields>` before it sets
 * off a row, `done <key> <id>` or `no <key> <problem>` when it knows, and `now <time>` as its clock goes on. A process that kills itself at its
 * point says its time last.
 */
const task = JSON.parse(process.argv[4]!) as Task
/** So many rows are made ready, and then set off at the same time. */
const atOnce = 12

/** A database that kills this process at the point, counted from `arm`. */
function killingAt(database: Database, last: () => void): { database: Database; arm(): void } {
  const [at, when] = (task.point ?? '').split(' ')
  let left = 0
  // Nothing of this process runs any more once the signal is sent; the promise keeps the caller waiting until it has come.
  const die = () => {
    last()
    return new Promise<never>(() => void process.kill(process.pid, 'SIGKILL'))
  }
  return {
    arm: () => void (left = Number(at)),
    database: {
      ...database,
      async transaction(work) {
        const isPoint = left > 0 && --left === 0
        const answer = await database.transaction(async (tx) => {
          const done = await work(tx)
          if (isPoint && when === 'before') await die()
          return done
        })
        if (isPoint) await die()
        return answer
      },
    },
  }
}

async function run(): Promise<void> {
  const again = await askedBefore()
  let stage: ProductsStage | undefined
  const now = () => say(`now ${stage?.lever.now() ?? task.startAt}`)
  const { database, arm } = killingAt(await openArguments(), now)
  const wallet = await openWalletStage({ open: async () => database })
  wallet.later(task.startAt - wallet.now())
  if (task.how === 'other') return other(await productsFor(wallet, { bus: { ...createLocalBus(createLog('silent')), shared: true } }))
  const products = (stage = await productsFor(wallet))
  // A point takes no time: the leases of the node that was killed are over.
  if (task.how !== 'on') await writeAny(database.db.updateTable('lease').set({ until: 0 }))
  await products.lever.started()
  for (const { spot } of products.spots) await spot.start()
  usualPrices(products)
  const table = tableOn(products)
  say('ready')

  const call = (asked: string): Promise<unknown> => {
    const [key = '', uid = '', name = '', ...fields] = asked.split(' ')
    const act = () => table[name as RowName].act({ uid: Number(uid), fields: JSON.parse(fields.join(' ')) }, key)
    return ask(key, act as () => Promise<Answer>, (answer) => String(answer?.opened?.id ?? answer?.id ?? ''))
  }
  for (const asked of again) await call(asked)

  const made = async (name: RowName) => {
    const { uid, fields } = await table[name].ready()
    return `${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`
  }
  const set = (asked: string) => {
    say(`try ${asked}`)
    return call(asked)
  }
  if (task.how === 'once') {
    for (const name of task.rows!) {
      await set(await made(name))
      const asked = await made(name)
      say(`try ${asked}`)
      arm()
      await call(asked)
    }
    now()
    return process.exit(0)
  }
  if (task.how === 'end') {
    await toEnd(products)
    now()
    await products.stop()
    return database.close()
  }
  const names = task.rows!
  const rows = async () => {
    for (let at = 0; ; at += atOnce) {
      const batch = Array.from({ length: atOnce }, (_, n) => names[(at + n) % names.length]!)
      await Promise.all((await Promise.all(batch.map(made))).map(set))
    }
  }
  await Promise.all([rows(), runLoad(products, task.load!, task.seed!, set)])
}
/** An answer, as far as it names what was opened. */
type Answer = { id?: number; opened?: { id: number } } | undefined

/** Copies are in line with their traders, and options settled by prices that came in time. */
async function toEnd({ lever, follow, mic }: ProductsStage): Promise<void> {
  await follow.copied()
  for (let at = 0; at < 40; at++) {
    lever.tick('50000', 'ETHUSDT', 4_000)
    usualPrices({ lever })
  }
  await lever.settled()
  await follow.copied()
  while (await mic.settle());
}

async function other({ lever, spots }: ProductsStage): Promise<void> {
  await lever.lever.start()
  for (const { spot } of spots) await spot.start()
  say('ready')
  const acts = until(() => lever.lever.runner.isLive()).then(() => say('acts'))
  const matches = until(() => spots[0]!.spot.matcher.leads()).then(() => say('matches'))
  await Promise.all([acts, matches])
}

program(run)
