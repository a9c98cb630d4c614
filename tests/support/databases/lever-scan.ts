import Big from 'big.js'
import { expect } from 'vitest'
import { costOf, liquidationOf } from '#api-server/lever/lever.rules.ts'
import { dueAt, unitsOf, watch } from '#api-server/lever/triggers/trigger.rules.ts'
import type { Database } from '#server-kit/db/db.ts'

const [scale, coinScale] = [2, 8]

/**
 * Fails unless every order was filled and every position closed at the first tick of the log that reaches it, and nothing else was. Looks at each
 * row and each tick. Rows of which a customer or a trader has closed a part, or whose margin was changed, are left out.
 * @returns how many were fired
 */
export async function expectFiredAsTheLogSays({ db }: Database): Promise<number> {
  const log = await db.selectFrom('tick').selectAll().orderBy('id').execute()
  const ticks = log.map(({ id, symbol, price }) => ({ id, symbol, units: unitsOf(price, scale) }))
  const closed = db.selectFrom('lever_close').select('position_id').where('reason', 'in', ['user', 'reversed', 'copied'])
  const margins = db.selectFrom('lever_margin').select('position_id')
  const rows = await db
    .selectFrom('lever_position')
    .selectAll()
    .where('state', '<>', 'cancelled')
    .where('id', 'not in', closed.union(margins))
    .execute()
  // One with a key was filled by its customer, who moved it beyond the market.
  const fills = await db.selectFrom('ledger_event').select('source').where('kind', '=', 'lever_fill').where('key', 'is', null).execute()
  const nights = await db.selectFrom('lever_overnight').selectAll().orderBy('night').execute()
  const waited = new Set(fills.map(({ source }) => source))
  /** At the opening. A limit order that has waited pays out of what it has frozen, also where it is filled above its limit. */
  const marginOf = (row: (typeof rows)[number]) => {
    const atOpen = costOf(row, row.open_price!, coinScale)
    if (row.type !== 'limit' || !waited.has(`lever:${row.id}`)) return atOpen.margin
    const rest = new Big(costOf(row, row.price!, coinScale).total).minus(atOpen.fee)
    return rest.lt(atOpen.margin) ? rest.toFixed() : atOpen.margin
  }
  const wrong: string[] = []
  let fired = 0
  for (const row of rows) {
    const first = (watchedAt: (tick: number) => ReturnType<typeof watch>, after: number) => {
      for (const tick of ticks) {
        if (tick.id <= after || tick.symbol !== row.symbol) continue
        const watched = watchedAt(tick.id)
        const due = watched && dueAt(watched, tick.units, tick.id)
        if (due) return `${due} ${tick.id}`
      }
      return 'nothing'
    }
    if (row.state === 'entrust') {
      const found = first(() => watch(row, scale), row.since)
      if (found !== 'nothing') wrong.push(`order ${row.id} waits: ${found}`)
      continue
    }
    const since = row.open_tick!
    const watchedWith = (margin: string) => {
      const liquidation = liquidationOf({ ...row, open_price: row.open_price!, margin }, scale)
      return watch({ ...row, state: 'open', liquidation, since, tp_since: since, sl_since: since }, scale)
    }
    // Each night takes from the margin; what is left counts for the ticks after it.
    const steps = [{ after: since, watched: watchedWith(marginOf(row)) }]
    let margin = new Big(marginOf(row))
    for (const { fee, tick_id } of nights.filter((night) => night.position_id === row.id)) {
      margin = margin.minus(fee)
      steps.push({ after: Math.max(since, tick_id), watched: watchedWith(margin.toFixed()) })
    }
    const found = first((tick) => steps.findLast(({ after }) => tick > after)?.watched, since)
    const was = row.state === 'closed' ? `${row.close_reason} ${row.close_tick}` : row.state === 'open' ? 'nothing' : row.state
    if (found !== was) wrong.push(`position ${row.id} of tick ${since}: ${was}, the log says ${found}`)
    if (was !== 'nothing') fired++
  }
  expect(wrong.slice(0, 10)).toEqual([])
  return fired
}
