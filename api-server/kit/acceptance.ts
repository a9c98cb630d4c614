import type { Proofs } from '#api-server/account/proof.ts'
import type { GroupedWork, NamedKey, Outcome } from '#api-server/idempotency/idempotency.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import type { MarketReads, NamedTick } from '#api-server/market/market.reads.ts'
import { createMeans } from '#api-server/trading/means.rules.ts'
import type { AccountKind } from '#contract/accounts.ts'
import { ApiProblem, type ProblemCode } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** Calls that are done in one transaction at most. */
export const groupMost = 64

/** A call of a customer. */
export interface Asked {
  uid: number
  /** The price that it is done at, which must be in the log; absent for a call that needs none. */
  tick?: NamedTick | undefined
}
/** A call that was accepted, and what it changes. */
export interface Accepted<W, D> {
  work: W
  effect: D
  /** Its idempotency key, for its event in the ledger. */
  key: NamedKey | undefined
}

export interface AcceptanceDeps {
  balances: Pick<LedgerReads, 'lockedAll'>
  proofs: Pick<Proofs, 'standings'>
  /** For calls that are done at the price of a tick. */
  reads?: Pick<MarketReads, 'logged'>
}

interface Stages<W extends Asked, L, D, E, A> {
  /** Name of the call. */
  call: string
  /** So many are done in one transaction at most; `groupMost` unless said. */
  most?: number
  /** Runs each transaction; see `GroupedWork`. */
  around?: GroupedWork<W, L, A, E>['around']
  /** The amount that an accepted call takes; absent where it takes nothing, as a cancellation. */
  takes?: {
    account: AccountKind
    /** Coins whose balances are locked. */
    coins(work: W): readonly number[]
    /** Returns the amount that a decision freezes. @returns held: exact decimal text */
    of(effect: D, work: W): { currency: number; held: string }
    /** How many the customer may have, how many there are by uid, and the refusal; absent: any number. */
    list?: { most: number; counts(looked: L): ReadonlyMap<number, number>; full: ProblemCode }
  }
  /** Reads and locks what else the decisions need. Sent after the locks of the balances. @param isAround whether `around` runs the transaction */
  look(tx: Tx, works: readonly W[], isAround: boolean): Promise<L>
  /** Decides one call, after those before it. Without an effect it changes nothing, as for an order that is there already. @throws ApiProblem */
  decide(work: W, looked: L): { answer: A; effect?: D | undefined }
  /** Notes an accepted effect, for the decisions that follow. */
  note?(effect: D, looked: L): void
  /** Writes all that was accepted. @returns the effects that are announced after the commit, in the same order; undefined for none */
  write(tx: Tx, accepted: readonly Accepted<W, D>[], looked: L): Promise<readonly (E | undefined)[]>
}

/**
 * Accepts calls of customers that come together, in one transaction: balances are locked first, so that what is counted of a customer is exact; then
 * one call is decided after the other, each with what those before it have left; and all that was accepted is written together. A refusal costs
 * the others nothing. To be given to `once.grouped`.
 */
export function acceptance<W extends Asked, L, D, E, A>(
  { balances, proofs, reads }: AcceptanceDeps,
  { call, most = groupMost, around, takes, look, decide, note, write }: Stages<W, L, D, E, A>,
) {
  async function lookAll(tx: Tx, asked: readonly W[], isAround: boolean) {
    const uids = takes ? [...new Set(asked.map(({ uid }) => uid))] : []
    const coins = takes ? asked.flatMap((work) => takes.coins(work).map((currency) => ({ uid: work.uid, currency }))) : []
    const wanted = [...new Map(coins.map((one) => [`${one.uid} ${one.currency}`, one])).values()]
    const ticks = asked.flatMap(({ tick }) => tick ?? [])
    const [held, looked, standings, isLogged] = await Promise.all([
      takes ? balances.lockedAll(tx, wanted, takes.account) : [],
      look(tx, asked, isAround),
      takes ? proofs.standings(uids, tx) : undefined,
      ticks.length && reads ? reads.logged(tx, ticks) : () => false,
    ])
    const counts = takes?.list?.counts(looked)
    const standing = (uid: number) => ({ status: standings?.get(uid)?.status, standing: { list: counts?.get(uid) ?? 0 } })
    const means = new Map(uids.map((uid) => [uid, standing(uid)]))
    return { looked, isLogged, means, available: wanted.map((one, at) => ({ ...one, amount: held[at]!.available })) }
  }
  type Looked = Awaited<ReturnType<typeof lookAll>>

  const work: GroupedWork<W, Looked, A, E> = {
    call,
    most,
    look: lookAll,
    act(tx, works, { looked, isLogged, means, available }) {
      const take = createMeans(means, available)
      const accepted: (Accepted<W, D> & { at: number })[] = []
      const outcomes = works.map(({ work, key }, at): Outcome<A> => {
        try {
          const { answer, effect } = decide(work, looked)
          if (effect === undefined) return { answer }
          // A tick that this node has seen, but that never came into the log, settles nothing.
          if (work.tick && !isLogged(work.tick)) throw new ApiProblem('price_stale')
          if (takes) {
            const limit = takes.list?.most ?? Number.POSITIVE_INFINITY
            const outcome = take({ uid: work.uid, list: 'list', most: limit, ...takes.of(effect, work) })
            if (outcome !== 'accepted') throw new ApiProblem(outcome === 'list_full' && takes.list ? takes.list.full : outcome)
          }
          note?.(effect, looked)
          accepted.push({ work, effect, key, at })
          return { answer }
        } catch (refused) {
          return { refused }
        }
      })
      async function written(): Promise<(E | undefined)[]> {
        const effects = new Array<E | undefined>(works.length)
        if (!accepted.length) return effects
        const done = await write(tx, accepted, looked)
        for (const [i, { at }] of accepted.entries()) effects[at] = done[i]
        return effects
      }
      return { outcomes, written: written() }
    },
  }
  return around ? { ...work, around } : work
}
