import { randomUUID } from 'node:crypto'
import type { Database } from '#server-kit/db/db.ts'
import { productsFor } from '#tests/support/databases/products-stage.ts'
import { openWalletStage, start } from '#tests/support/databases/wallet-stage.ts'
import { ask, askedBefore, numbersOf, openArguments, program } from '#tests/support/killed/program.ts'
import { type MoneyCall, moneyCallNames, readyOn } from '#tests/support/people/product-calls.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while it makes calls of all products, each with a new key and by a customer of its own. Its arguments name folder and
 * address of the database, how many ms its clock is ahead, and the places of the calls in the list of all of them that it makes again and again;
 * without any it ends once it has made those that standard input names, each as `<key> <customer> <call> <fields>`. With a point it makes each
 * call that the places name once, and kills itself there: `2 before` is right before the commit of the second transaction that the call
 * causes, `2 after` right after it; it ends by itself when there are fewer. It says
 * `ready` once it takes calls, `try <key> <customer> <call> <fields>` before each one with a new key, and `done <key>` or `no <key> <problem>` when
 * it knows.
 */
const [aheadMs = '0', places = '', point = ''] = process.argv.slice(4)
/** So many calls are made ready, and then made at the same time. */
const atOnce = 12

/** A database that kills this process at the point, counted from `arm`. */
function killingAt(database: Database): { database: Database; arm(): void } {
  const [at, when] = point.split(' ')
  let left = 0
  // Nothing of this process runs any more once the signal is sent; the promise keeps the caller waiting until it has come.
  const die = () => new Promise<never>(() => void process.kill(process.pid, 'SIGKILL'))
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
  const { database, arm } = killingAt(await openArguments())
  const wallet = await openWalletStage({ open: async () => database })
  wallet.later(start + Number(aheadMs) - wallet.now())
  const products = await productsFor(wallet)
  await products.lever.started()
  products.lever.tick('50000')
  for (const { spot } of products.spots) await spot.start()
  say('ready')

  function call(asked: string): Promise<unknown> {
    const [key = '', uid = '', name = '', ...fields] = asked.split(' ')
    return ask(key, () => products.callAt(0, name as MoneyCall, Number(uid), JSON.parse(fields.join(' ')), key))
  }
  for (const asked of again) await call(asked)
  if (!places) {
    await products.stop()
    return database.close()
  }
  const ready = readyOn(products)
  const names = numbersOf(places).map((place) => moneyCallNames[place]!)
  if (point) {
    for (const name of names) {
      const { uid, fields } = await ready[name]()
      const asked = `${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`
      say(`try ${asked}`)
      arm()
      await call(asked)
    }
    return process.exit(0)
  }
  for (let made = 0; ; made += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, at) => names[(made + at) % names.length]!)
    const calls = await Promise.all(batch.map(async (name) => ({ name, ...(await ready[name]()) })))
    await Promise.all(
      calls.map(({ name, uid, fields }) => {
        const asked = `${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`
        say(`try ${asked}`)
        return call(asked)
      }),
    )
  }
}

program(run)
