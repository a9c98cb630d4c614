import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { LeverClose, LeverRow } from '#contract/calls/lever.rows.ts'
import { followStageOn } from '#tests/support/databases/follow-stage.ts'
import { leverStageOn } from '#tests/support/databases/lever-stage.ts'
import { ask, askedBefore, numbersOf, oneOf, openArguments, pause, program } from '#tests/support/killed/program.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while traders trade and it copies them to those who follow. Its arguments are folder and address of the database, the time
 * that its clock shows, the traders, followers who now and then close a copy or keep it for themselves, and `on` or `end`; standard input names what
 * it asks first, as `<key> <customer> <call> <fields>`. It says `try <key> <customer> <call> <fields>` before each call with a new key, and
 * `done <key> <kind> <source>` of its event in the ledger (`own` for a copy that is kept), or `no <key> <problem>`. With `on` it says
 * `copied <count>`, how many copies it has opened and closed so far, and `now <time>` again and again. With `end` it tries no new keys, brings all copies
 * in line and ends.
 */
const [startAt = '0', traders = '', followers = '', how = 'on'] = process.argv.slice(4)
type Call = 'lever.orderOpen' | 'lever.close' | 'follow.selfHolding'
/** Positions that a trader has at a time. */
const heldMax = 8

async function run(): Promise<void> {
  const again = await askedBefore()
  const database = await openArguments()
  const stage = followStageOn(await leverStageOn(database, { startAt: Number(startAt) }))

  function call(asked: string): Promise<{ id: number } | undefined> {
    const [key = '', uid = '', name = '', text = ''] = asked.split(' ')
    const fields = JSON.parse(text) as Record<string, string>
    if (name === 'follow.selfHolding')
      return ask(
        key,
        () => stage.follow(name, Number(uid), fields, key),
        ({ id }) => `own lever:${id}`,
      )
    const told = ({ id }: LeverRow | LeverClose) => (name === 'lever.close' ? `lever_close lever_close:${id}` : `lever_open lever:${id}`)
    return ask(key, () => stage.call(name as 'lever.close', Number(uid), fields, key), told)
  }
  const fresh = (uid: number, name: Call, fields: Record<string, string>) => {
    const asked = `${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`
    say(`try ${asked}`)
    return call(asked)
  }
  await stage.started()
  stage.tick('50000')
  for (const asked of again) await call(asked)
  if (how === 'end') {
    await stage.copied()
    say(`now ${stage.now()}`)
    await stage.stop()
    return database.close()
  }
  const trader = async (uid: number) => {
    const rows = await database.db.selectFrom('lever_position').select('id').where('uid', '=', uid).where('state', '=', 'open').execute()
    const held = rows.map(({ id }) => id)
    for (;;) {
      const lots = `${1 + Math.floor(Math.random() * 9)}`
      const order = { match_id: 'BTCUSDT', side: oneOf(['long', 'short']), lots, multiple: '20' }
      if (!held.length || (held.length < heldMax && Math.random() < 0.4)) {
        const opened = await fresh(uid, 'lever.orderOpen', order)
        if (opened) held.push(opened.id)
      } else {
        const id = oneOf(held)
        const isWhole = Math.random() < 0.5
        await fresh(uid, 'lever.close', { id: String(id), ...(!isWhole && { lots: '0.3' }) })
        if (isWhole) held.splice(held.indexOf(id), 1)
      }
      await pause(Math.random() * 20)
    }
  }
  const follower = async (uid: number) => {
    for (;;) {
      await pause(Math.random() * 150)
      const { list } = await stage.follow('follow.copies', uid)
      const copy = list.length ? oneOf(list) : undefined
      if (!copy) continue
      if (Math.random() < 0.5) await fresh(uid, 'lever.close', { id: String(copy.id) })
      else await fresh(uid, 'follow.selfHolding', { transaction_id: String(copy.id) })
    }
  }
  let price = 50_000
  const market = async () => {
    for (;;) {
      price = Math.min(50_200, Math.max(49_800, price + oneOf([-2, -1, 1, 2])))
      stage.tick(`${price}`, 'BTCUSDT', 20)
      say(`now ${stage.now()}`)
      await pause(5)
    }
  }
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select (select count(*) from follow_copy where state <> 'skipped')
      + (select count(*) from lever_close where reason = 'copied') as count`.execute(database.db)
    return Number(rows[0]!.count)
  }
  const before = await count()
  const counting = async () => {
    for (;;) {
      say(`copied ${(await count()) - before}`)
      await pause(20)
    }
  }
  // Beside what is told, as from time to time on a node.
  const passes = async () => {
    for (;;) {
      await pause(300)
      await stage.follows[0]!.pass()
    }
  }
  await Promise.all([market(), counting(), passes(), ...numbersOf(traders).map(trader), ...numbersOf(followers).map(follower)])
}

program(run)
