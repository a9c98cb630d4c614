import Big from 'big.js'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { followLimits } from '#api-server/follow/follow.rules.ts'
import { createFollowStore } from '#api-server/follow/follow.store.ts'
import type { FollowType } from '#contract/calls/follow.calls.ts'
import { followCopyLots } from '#contract/functions/follow.copyLots.function.ts'
import type { Database } from '#server-kit/db/db.ts'

interface Row {
  uid: number
  type: FollowType
  number: string
  position: number
  state: string
  lots: string
  lots_closed: string
  opened: number
  /** When the end was decided: the price that ends a position comes before the payment. */
  ended: number | null
  copy_state: string | null
  reason: string | null
  at: number
  copy_position: string | null
  copy_lots: string
  copy_closed: string
}

/**
 * Fails unless all that traders have opened was copied once or skipped for a reason, for each who follows them since the beginning, and every copy
 * is in line with its trader. Followers open nothing by themselves.
 * @param poor customers who may be skipped for their balance
 */
export async function expectCopiedByTheRules(database: Database, { poor }: { poor: readonly number[] }): Promise<void> {
  const { db } = database
  const { rows } =
    await sql<Row>`select f.uid, f.type, f.number::text, t.id as position, t.state, t.lots::text, t.lots_closed::text, t.opened,
      coalesce((select time from tick where id = t.close_tick), t.ended) as ended, c.state as copy_state, c.reason, c.at, p.state as copy_position, p.lots::text as copy_lots, p.lots_closed::text as copy_closed
    from follow f join lever_position t on t.uid = f.trader_uid and t.opened >= f.created
      left join follow_copy c on c.trader_position = t.id and c.uid = f.uid left join lever_position p on p.id = c.position_id
    order by t.id, f.uid`.execute(db)
  const closings = await db.selectFrom('lever_close').select(['position_id', 'lots']).orderBy('id').execute()
  const wholeOf = (row: { state: string | null; lots: string; closed: string }) =>
    row.state === 'closed' ? new Big(row.closed) : new Big(row.lots).plus(row.closed)

  function faultOf(row: Row): string | undefined {
    const parts = closings.filter(({ position_id }) => position_id === row.position)
    // Lots of the trader's position that were open at each time.
    const levels = [wholeOf({ state: row.state, lots: row.lots, closed: row.lots_closed })]
    for (const { lots } of parts) levels.push(levels.at(-1)!.minus(lots))
    if (row.copy_state === null) return 'neither copied nor skipped'
    if (row.copy_state === 'skipped') {
      const isLate = row.at - row.opened > followLimits.lateMs || (row.ended !== null && row.ended <= row.at)
      const isSmall = levels.some((lots) => followCopyLots.run({ ...row, lots: lots.toFixed() }) === '0')
      const mayBe = { late: isLate, below_one: isSmall, balance: poor.includes(row.uid) }[row.reason ?? '']
      return mayBe ? undefined : `skipped: ${row.reason}`
    }
    const whole = wholeOf({ state: row.copy_position, lots: row.copy_lots, closed: row.copy_closed })
    const from = levels.filter((lots) => lots.gt(0) && whole.eq(followCopyLots.run({ ...row, lots: lots.toFixed() })))
    if (!from.length) return `${whole} lots copied of ${levels.join(', ')}`
    if (row.copy_state === 'own') return undefined
    if (row.copy_state !== (row.copy_position === 'closed' ? 'closed' : 'open')) return `${row.copy_state}, and ${row.copy_position}`
    if (row.copy_position === 'closed') return undefined
    if (row.state !== 'open') return `still ${row.copy_position}`
    // The same part is closed, cut at two decimals each time.
    const left = new Big(row.copy_lots)
    const isInLine = from.some((lots) => {
      const exact = whole.times(row.lots).div(lots)
      return left.gte(exact.round(2, Big.roundDown)) && left.minus(exact).lte(new Big('0.01').times(parts.length))
    })
    return isInLine ? undefined : `${left} of ${whole} lots left, and ${row.lots} of ${from.join(' or ')} of the trader`
  }
  const faults = rows.flatMap((row) => {
    const fault = faultOf(row)
    return fault === undefined ? [] : [`position ${row.position} for ${row.uid}: ${fault}`]
  })
  expect(faults.slice(0, 10)).toEqual([])
  const copied = rows.filter(({ copy_state }) => copy_state !== 'skipped')
  expect([copied.length > 0, copied.some(({ copy_position }) => copy_position === 'closed')]).toEqual([true, true])
  // No position of a follower that copies nothing, or that copies several.
  const { rows: loose } = await sql<{ id: number }>`select p.id from lever_position p
    where p.uid in (select uid from follow) and (select count(*) from follow_copy c where c.position_id = p.id) <> 1`.execute(db)
  expect(loose).toEqual([])
  expect(await createFollowStore(database).behind({ most: 10, except: [], after: undefined, among: undefined })).toEqual([])
}
