import { randomUUID } from 'node:crypto'
import type { LeverClose, LeverRow } from '#contract/calls/lever.rows.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { ask, askedBefore, oneOf, openArguments, pause, program } from '#tests/support/killed/program.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while prices act and customers trade. Its arguments name folder and address of the database, the time that its clock
 * shows, and `on`, `end` or `act`; standard input names the calls that it makes first, each as `<key> <customer> <call> <fields>`. It says
 * `try <key> <customer> <call> <fields>` before each call with a new key, and `done <key> <kind> <source>` of the event in the ledger, or
 * `no <key> <problem>`, when it knows. With `on` it says `fired <count>` again and again: how many positions prices have ended since it began.
 * With `end` it tries no new keys, waits until all is done that prices have fired, and ends. With `act` it makes no calls and has no prices of
 * its own: it says `live` once it acts on those of the log.
 */
const [startAt = '0', how = 'on'] = process.argv.slice(4)
const customers = 6
const calls = ['lever.orderOpen', 'lever.close', 'lever.margin', 'lever.orderMove', 'lever.cancel'] as const
type Call = (typeof calls)[number]
/** Positions and orders that a customer may come back to. */
const heldMax = 20

/** Kind and source of the event that a call leaves in the ledger; changes of the margin are told by their position. */
function eventOf(call: Call, fields: Record<string, string>, answer: LeverRow | LeverClose): string {
  if (call === 'lever.close') return `lever_close lever_close:${answer.id}`
  if (call === 'lever.margin') return `lever_margin_${fields.action} lever:${answer.id}`
  if (call === 'lever.orderMove') {
    const { id, rev, status } = answer as LeverRow
    return status === 'open' ? `lever_fill lever:${id}` : `lever_move lever_move:${id}:${rev}`
  }
  if (call === 'lever.cancel') return `lever_cancel lever:${answer.id}`
  return `${(answer as LeverRow).status === 'open' ? 'lever_open' : 'lever_order'} lever:${answer.id}`
}

async function run(): Promise<void> {
  const again = await askedBefore()
  const database = await openArguments()
  const stage = await leverStageOn(database, {
    startAt: Number(startAt),
    ...(how === 'act' && { bus: { ...createLocalBus(createLog('silent')), shared: true } }),
  })

  if (how === 'act') {
    await stage.lever.start()
    say('open')
    while (!stage.lever.engine.isLive()) await pause(5)
    return say('live')
  }
  /** @returns undefined for a call that was refused */
  function call(asked: string): Promise<LeverRow | LeverClose | undefined> {
    const [key = '', uid = '', name = '', fields = ''] = asked.split(' ')
    const told = (answer: LeverRow | LeverClose) => eventOf(name as Call, JSON.parse(fields), answer)
    return ask(key, () => stage.call(name as Call, Number(uid), JSON.parse(fields), key), told)
  }
  await stage.started()
  // What is tried again needs a price, unless it was done already.
  if (again.length) stage.tick('50000')
  for (const asked of again) await call(asked)
  if (how === 'end') {
    await stage.settled()
    await stage.stop()
    return database.close()
  }
  let price = 50_000
  const prices = async () => {
    for (;;) {
      price = Math.min(60_000, Math.max(40_000, price * (1 + (Math.random() - 0.5) / 500)))
      stage.tick(price.toFixed(2), 'BTCUSDT', 20)
      await pause(4)
    }
  }
  function newOrder(): Record<string, string> {
    const isLong = Math.random() < 0.5
    const at = (share: number) => (price * (1 + (isLong ? share : -share))).toFixed(2)
    const isOrder = Math.random() < 0.3
    return {
      ...{ match_id: 'BTCUSDT', side: isLong ? 'long' : 'short', lots: '1', multiple: '100' },
      ...{ target_profit_price: at(0.0005 + Math.random() / 300), stop_loss_price: at(-0.002 - Math.random() / 50) },
      ...(isOrder && { type: 'limit', price: at(-Math.random() / 1_000) }),
    }
  }
  function changeOf({ id, status }: Pick<LeverRow, 'id' | 'status'>): [Call, Record<string, string>] {
    // Few orders wait for long, and a moved one waits on: most that are changed are cancelled.
    if (status === 'entrust' && Math.random() < 0.3)
      return ['lever.orderMove', { id: String(id), price: (price * (1 + (Math.random() - 0.5) / 500)).toFixed(2) }]
    if (status === 'entrust') return ['lever.cancel', { id: String(id) }]
    if (Math.random() < 0.5) return ['lever.close', { id: String(id), ...(Math.random() < 0.5 && { lots: '0.5' }) }]
    return ['lever.margin', { id: String(id), action: oneOf(['add', 'add', 'remove']), amount: '1' }]
  }
  const trader = async () => {
    const uid = await stage.customer('1000000')
    const held: Pick<LeverRow, 'id' | 'status'>[] = []
    for (;;) {
      const [name, fields] = held.length && Math.random() < 0.3 ? changeOf(oneOf(held)) : (['lever.orderOpen', newOrder()] as const)
      const asked = `${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`
      say(`try ${asked}`)
      const answer = await call(asked)
      if (!answer) await pause(20)
      else if (name === 'lever.orderOpen') held.push(answer as LeverRow)
      if (held.length > heldMax) held.shift()
    }
  }
  const count = async () =>
    Number(
      (
        await database.db
          .selectFrom('lever_close')
          .select(({ fn }) => fn.countAll().as('all'))
          .where('reason', '<>', 'user')
          .executeTakeFirstOrThrow()
      ).all,
    )
  const before = await count()
  const fired = async () => {
    for (;;) {
      say(`fired ${(await count()) - before}`)
      await pause(50)
    }
  }
  await Promise.all([fired(), prices(), ...Array.from({ length: customers }, trader)])
}

program(run)
