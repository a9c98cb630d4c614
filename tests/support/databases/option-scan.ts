import { expect } from 'vitest'
import type { Database } from '#server-kit/db/db.ts'

/** A price that is older than this at the expiry settles nothing. */
const ageMsMax = 5_000
/** Units of the 18 decimals that amounts are stored with at most. */
const unitsOf = (amount: string): bigint => {
  const [whole = '', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(18, '0').slice(0, 18))
}

/**
 * Fails unless every option has been settled by the last tick of the log at or before its expiry, once the log had passed it, and pays what was
 * agreed. Looks at each row and each tick.
 * @returns the states of all options
 */
export async function expectSettledAsTheLogSays({ db }: Database): Promise<string[]> {
  const log = (await db.selectFrom('tick').selectAll().orderBy('id').execute()).map((tick) => ({ ...tick, units: unitsOf(tick.price) }))
  const options = await db.selectFrom('option_order').selectAll().orderBy('id').execute()
  const wrong = options.flatMap((option) => {
    const { id, due_at, status, settle_tick_id, payout, stake, rate, log_end } = option
    const own = log.filter(({ symbol, time }) => symbol === option.symbol && time <= due_at)
    const last = own.reduce<(typeof own)[number] | undefined>((best, tick) => (best && best.time > tick.time ? best : tick), undefined)
    const by = last && due_at - last.time <= ageMsMax ? last : undefined
    const [from, to] = [unitsOf(option.open_price), by?.units ?? 0n]
    const result = !by ? 'void' : to === from ? 'draw' : to > from === (option.type === 'up') ? 'won' : 'lost'
    // Cut at the eight decimals of the coin.
    const earned = ((unitsOf(stake) * unitsOf(rate)) / 10n ** 28n) * 10n ** 10n
    const paid = { won: unitsOf(stake) + earned, lost: 0n, draw: unitsOf(stake), void: unitsOf(stake) }[result]
    const opened = log.find((tick) => tick.id === option.open_tick_id)
    const said = [
      [status, result],
      [settle_tick_id, by?.id ?? null],
      [unitsOf(payout), paid],
      // No tick that counts came into the log after the settlement.
      [own.filter((tick) => tick.id > (log_end ?? 0)).length, 0],
      // A whole duration lies between the price that opened it and the one that settles it.
      [opened !== undefined && due_at - opened.time >= option.seconds * 1_000, true],
    ]
    return said.every(([was, right]) => was === right)
      ? []
      : [`option ${id}: ${said.map(([was, right]) => `${was} is ${right}`).join(', ')}`]
  })
  expect(wrong.slice(0, 10)).toEqual([])
  return options.map(({ status }) => status)
}
