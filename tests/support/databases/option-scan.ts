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
 * agreed. Looks at each row.
 * @returns the states of all options
 */
export async function expectSettledAsTheLogSays({ db }: Database): Promise<string[]> {
  const log = (await db.selectFrom('tick').selectAll().orderBy('time').orderBy('id').execute()).map((tick) => ({
    ...tick,
    units: unitsOf(tick.price),
  }))
  const byId = new Map(log.map((tick) => [tick.id, tick]))
  /** Ticks of a symbol by their time, each with the highest number up to it. */
  const symbols = new Map<string, { tick: (typeof log)[number]; newest: number }[]>()
  for (const tick of log) {
    const own = symbols.get(tick.symbol) ?? []
    if (!own.length) symbols.set(tick.symbol, own)
    own.push({ tick, newest: Math.max(tick.id, own.at(-1)?.newest ?? 0) })
  }
  /** The last at or before a time. */
  const lastAt = (symbol: string, time: number) => {
    const own = symbols.get(symbol) ?? []
    let [low, high] = [0, own.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (own[middle]!.tick.time <= time) low = middle + 1
      else high = middle
    }
    return own[low - 1]
  }
  const options = await db.selectFrom('option_order').selectAll().orderBy('id').execute()
  const wrong = options.flatMap((option) => {
    const { id, due_at, status, settle_tick_id, payout, stake, rate, log_end } = option
    const { tick: last, newest } = lastAt(option.symbol, due_at) ?? { tick: undefined, newest: 0 }
    const by = last && due_at - last.time <= ageMsMax ? last : undefined
    const [from, to] = [unitsOf(option.open_price), by?.units ?? 0n]
    const result = !by ? 'void' : to === from ? 'draw' : to > from === (option.type === 'up') ? 'won' : 'lost'
    // Cut at the eight decimals of the coin.
    const earned = ((unitsOf(stake) * unitsOf(rate)) / 10n ** 28n) * 10n ** 10n
    const paid = { won: unitsOf(stake) + earned, lost: 0n, draw: unitsOf(stake), void: unitsOf(stake) }[result]
    const opened = byId.get(option.open_tick_id)
    const said = [
      [status, result],
      [settle_tick_id, by?.id ?? null],
      [unitsOf(payout), paid],
      // No tick that counts came into the log after the settlement.
      [newest > (log_end ?? 0), false],
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
