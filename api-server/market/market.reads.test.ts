import { expect, it } from 'vitest'
import { createMarketReads, type ReadsOptions } from '#api-server/market/market.reads.ts'

const expiry = 60_000

/** The reads of a node whose log ends with tick 7 at `last`. Ticks on its board may never have come into the log. */
function readsAt(now: number, last: number, writer?: object) {
  const board = { symbols: () => ['BTCUSDT', 'ETHUSDT'], last: () => ({ time: expiry + 1 }) }
  return createMarketReads({
    board: board as unknown as ReadsOptions['board'],
    store: {
      tip: async () => ({ id: 7, hash: '' }),
      tickById: async (id: number) => (id === 7 ? { time: last } : undefined),
    } as unknown as ReadsOptions['store'],
    clock: { now: () => now },
    writer: () => writer as unknown as ReturnType<ReadsOptions['writer']>,
    catchUp: async () => {},
  })
}

it.each([
  ['a node that runs the source, once the time has passed', expiry + 1, 0, true, 7],
  ['a node that runs the source, at that very moment', expiry, 0, true, undefined],
  ['another node, with a later tick of any market in the log', expiry + 1, expiry + 1, false, 7],
  ['another node, with a tick of that moment', expiry + 5_000, expiry, false, undefined],
  ['another node whose clock is an hour ahead', expiry + 3_600_000, expiry - 1_000, false, undefined],
  ['another node before the time, whatever the log says', expiry, expiry + 1, false, undefined],
] as const)('whether a time lies behind the log: %s', async (_what, now, last, isWriter, end) => {
  const reads = readsAt(now, last, isWriter ? { flushed: async () => {} } : undefined)
  expect(await reads.logEndAfter(expiry)).toBe(end)
})

it('writes what is in hand first, and says nothing when that fails', async () => {
  const reads = readsAt(expiry + 1, 0, {
    flushed: async () => {
      throw new Error('the database is away')
    },
  })
  await expect(reads.logEndAfter(expiry)).rejects.toThrow('away')
})
