import Big from 'big.js'
import type { FollowContext } from '#api-server/follow/context.ts'
import type { Ledger } from '#api-server/ledger/ledger.ts'
import type { LeverSide } from '#contract/calls/lever.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isUniqueViolation } from '#server-kit/db/db.ts'

/**
 * Traders who are programs: they trade with demonstration money in simulated markets, so that there is somebody to follow. Their names and
 * introductions say so, and nobody can log in as one of them.
 */
interface Program {
  email: string
  nickname: string
  introduction: string
  symbol: string
  lots: string
  multiple: number
  /** The side that it opens after the price has moved. */
  after: Record<'rise' | 'fall', LeverSide>
}

export const programTimes = { passEveryMs: 60_000, heldMs: 15 * 60_000 } as const

export const programs: readonly Program[] = [
  {
    email: 'trend@tessera.example',
    nickname: 'Trend (demo)',
    introduction: 'A program in a simulated market. It buys bitcoin after a rise, sells it after a fall, and closes after 15 minutes.',
    symbol: 'BTCUSDT',
    lots: '5',
    multiple: 20,
    after: { rise: 'long', fall: 'short' },
  },
  {
    email: 'return@tessera.example',
    nickname: 'Return (demo)',
    introduction: 'A program in a simulated market. It sells ether after a rise, buys it after a fall, and closes after 15 minutes.',
    symbol: 'ETHUSDT',
    lots: '5',
    multiple: 10,
    after: { rise: 'short', fall: 'long' },
  },
]

const money = '50000'

export interface ProgramDeps {
  ledger: Ledger
  /** Number of the account, which is made when it is asked for first. */
  account: (of: { email: string; nickname: string }) => Promise<number>
}

export function createPrograms(context: FollowContext, { ledger, account }: ProgramDeps) {
  const { database, store, copies, coins, proofs, reads, clock, log, admit } = context
  /** The price at the last look, by symbol. */
  const before = new Map<string, string>()

  /** Gives money to the account and makes it a trader, once. @returns the account */
  async function seed({ email, nickname, introduction }: Program): Promise<number> {
    const uid = await account({ email, nickname })
    if (await store.trader(uid)) return uid
    const coin = await coins.quoteOf()
    const at = clock.now()
    await database.transaction(async (tx) => {
      admit()
      // Another node that makes the same trader waits here, and is refused.
      await store.accept(tx, { uid, nickname, introduction }, at)
      await ledger.post(tx, {
        kind: 'demo',
        source: `demo:${uid}:lever:${coin.code}`,
        uid,
        at,
        postings: [
          { account: { platform: 'external_in' }, currency: coin.id, amount: `-${money}` },
          { account: { uid, kind: 'lever', part: 'available' }, currency: coin.id, amount: money },
        ],
      })
    })
    return uid
  }

  async function open(uid: number, { symbol, lots, multiple }: Program, side: LeverSide): Promise<void> {
    const opening = await copies.prepareOpening({ uid, symbol, side, multiple })
    const done = await database.transaction(async (tx) => {
      admit()
      await proofs.lock(tx, uid)
      return (await store.openOf(uid, tx)).length ? undefined : copies.open(tx, opening, lots)
    })
    if (done) copies.announce(done)
  }
  async function close(id: number): Promise<void> {
    const closing = await copies.prepareClosing(id)
    const done = await database.transaction((tx) => {
      admit()
      return copies.close(tx, closing, (held) => held, 'user')
    })
    if (done) copies.announce(done)
  }

  async function step(program: Program): Promise<void> {
    const last = before.get(program.symbol)
    const price = reads.lastPrice(program.symbol)?.price
    if (price !== undefined) before.set(program.symbol, price)
    const uid = await seed(program)
    const held = await store.openOf(uid)
    for (const { id, opened } of held) if (clock.now() - opened >= programTimes.heldMs) await close(id)
    if (held.length || last === undefined || price === undefined || price === last) return
    await open(uid, program, program.after[new Big(price).gt(last) ? 'rise' : 'fall'])
  }

  return {
    /** Opens what the rules say, and closes what was held for long enough. */
    async pass(): Promise<void> {
      for (const program of programs)
        await step(program).catch((error: unknown) => {
          // A closed market or an old price; or another node was faster.
          if (!(error instanceof ApiProblem) && !isUniqueViolation(error)) throw error
          log.debug({ err: error, program: program.nickname }, 'a program does not trade now')
        })
    },
  }
}
