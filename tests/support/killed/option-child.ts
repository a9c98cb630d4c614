import { randomUUID } from 'node:crypto'
import type { OptionOrder } from '#contract/calls/mic.calls.ts'
import { openMicStage } from '#tests/support/databases/mic-stage.ts'
import { ask, askedBefore, numbersOf, oneOf, openArguments, pause, program } from '#tests/support/killed/program.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while customers open options and it settles them. Its arguments are folder and address of the database, the time that it
 * takes for now, the customers, and `settle`, `on` or `end`; standard input names what it asks first, as `<key> <customer> <fields>`. It says `open`,
 * `try <key> <customer> <fields>` before each order with a new key, and `done <key> <kind> <source>` of its event in the ledger, or
 * `no <key> <problem>`. With `on` it says `settled <count>` and `now <time>` again and again. With `end` it tries no new keys, lets all options
 * expire, settles them and ends. With `settle` time stands still: it settles what has expired, and ends.
 */
const [now = '', customers = '', how = 'on'] = process.argv.slice(4)
const clients = 4

async function run(): Promise<void> {
  const again = await askedBefore()
  const on = await openMicStage({ open: openArguments })
  on.stage.later(Number(now) - on.stage.now())
  say('open')
  const end = async () => {
    say(`now ${on.stage.now()}`)
    await on.close()
    await on.database.close()
  }
  if (how === 'settle') {
    while (await on.settle());
    return end()
  }

  let price = 50_000
  const prices = (afterMs: number) => {
    on.stage.later(afterMs)
    // Some prices stay as they are, so that some options end in a draw.
    price = Math.min(60_000, Math.max(40_000, price + oneOf([-1, -1, 0, 1, 1])))
    on.tick(`${price}`)
  }
  const open = (asked: string): Promise<OptionOrder | undefined> => {
    const [key = '', uid = '', fields = ''] = asked.split(' ')
    const told = ({ id }: OptionOrder) => `option_open option:${id}`
    return ask(key, () => on.call('mic.orderOpen', Number(uid), JSON.parse(fields), { key }), told)
  }
  prices(0)
  for (const asked of again) await open(asked)
  if (how === 'end') {
    for (let at = 0; at < 40; at++) prices(4_000)
    on.stage.later(1)
    while (await on.settle());
    return end()
  }

  const uids = numbersOf(customers)
  const client = async () => {
    for (;;) {
      const key = randomUUID()
      const order = { match_id: 'BTCUSDT', currency_id: '3', type: oneOf(['up', 'down']), seconds: oneOf(['30', '60', '120']) }
      // Some have a number of their own too, as the app gives it.
      const fields = { ...order, number: `${10 + Math.floor(Math.random() * 90)}`, ...(Math.random() < 0.5 && { oid: key }) }
      const asked = `${key} ${oneOf(uids)} ${JSON.stringify(fields)}`
      say(`try ${asked}`)
      await open(asked)
      await pause(5)
    }
  }
  const market = async () => {
    for (;;) {
      prices(1_000)
      say(`now ${on.stage.now()}`)
      await pause(5)
    }
  }
  const settling = async () => {
    for (let count = 0; ; await pause(5)) say(`settled ${(count += await on.settle())}`)
  }
  await Promise.all([market(), settling(), ...Array.from({ length: clients }, client)])
}

program(run)
