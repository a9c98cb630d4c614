import type { Proofs } from '#api-server/account/proof.ts'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { GroupedWork, Outcome } from '#api-server/idempotency/idempotency.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { freeze, type Ledger, type LedgerEvent } from '#api-server/ledger/ledger.ts'
import type { MarketReads, NamedTick } from '#api-server/market/market.reads.ts'
import type { MicStore, OptionRow } from '#api-server/mic/mic.store.ts'
import { createMeans, type Means } from '#api-server/trading/means.rules.ts'
import type { CallOutput } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'

/** So many options are opened in one transaction at most. */
const groupMost = 64

type OpenedOption = CallOutput<'mic.orderOpen'>

/** An option that a customer has asked for. */
export interface AskedOption {
  uid: number
  coin: Currency
  /** The customer's own key of the order. */
  oid: string | undefined
  /** The tick at whose price it opens; undefined where there is no price to open at. */
  tick: NamedTick | undefined
  /** The option, by the terms and the price of the moment. @throws ApiProblem */
  decide(): OptionRow
  /** @param row the option that has the customer's key already @throws ApiProblem('key_reused') when it is another one */
  same(row: OptionRow): OptionRow
  /** Data of the call's answer. */
  answer(row: OptionRow): OpenedOption
  /** What was decided last. It is opened when the call's answer is of it. */
  made?: OptionRow | undefined
}
interface Looked {
  means: ReadonlyMap<number, Means>
  available: readonly { uid: number; currency: number; amount: string }[]
  /** Options with a customer's key that a call has. */
  known: readonly OptionRow[]
  isLogged: (tick: NamedTick) => boolean
}

const account = 'micro'
const nameOf = (uid: number, oid: string) => `${uid} ${oid}`

/** Opens options: writes them and freezes their stakes. */
export function acceptance(deps: {
  store: MicStore
  ledger: Ledger
  balances: LedgerReads
  proofs: Pick<Proofs, 'standings'>
  reads: Pick<MarketReads, 'logged'>
}): GroupedWork<AskedOption, Looked, OpenedOption> {
  const { store, ledger, balances, proofs, reads } = deps
  return {
    call: 'mic.orderOpen',
    most: groupMost,
    async look(tx, asked) {
      const uids = [...new Set(asked.map(({ uid }) => uid))]
      const wanted = [...new Map(asked.map(({ uid, coin }) => [`${uid} ${coin.id}`, { uid, currency: coin.id }])).values()]
      // Balances first: with their locks no other node opens an option with the same key of the customer meanwhile.
      const [held, known, standings, isLogged] = await Promise.all([
        balances.lockedAll(tx, wanted, account),
        store.byKeys(
          tx,
          asked.flatMap(({ uid, oid }) => (oid === undefined ? [] : { uid, oid })),
        ),
        proofs.standings(uids, tx),
        reads.logged(
          tx,
          asked.flatMap(({ tick }) => tick ?? []),
        ),
      ])
      return {
        known,
        isLogged,
        means: new Map(uids.map((uid) => [uid, { status: standings.get(uid)?.status, standing: {} }])),
        available: wanted.map((one, at) => ({ ...one, amount: held[at]!.available })),
      }
    },
    act(tx, works, { means, available, known, isLogged }) {
      const accept = createMeans(means, available)
      const named = new Map(known.map((row) => [nameOf(row.uid, row.oid!), row]))
      const rows: OptionRow[] = []
      const events: LedgerEvent[] = []
      const outcomes = works.map(({ work, key }): Outcome<OpenedOption> => {
        try {
          const { uid, coin, oid, tick } = work
          work.made = undefined
          const before = oid === undefined ? undefined : named.get(nameOf(uid, oid))
          if (before) return { answer: work.answer(work.same(before)) }
          const row = work.decide()
          if (!tick || !isLogged(tick)) throw new ApiProblem('price_stale')
          // A customer may have any number of options.
          const outcome = accept({ uid, currency: coin.id, held: row.stake, list: 'options', most: Number.POSITIVE_INFINITY })
          if (outcome !== 'accepted') throw new ApiProblem(outcome)
          work.made = row
          if (oid !== undefined) named.set(nameOf(uid, oid), row)
          rows.push(row)
          events.push({
            kind: 'option_open',
            source: `option:${row.id}`,
            uid,
            at: row.opened_at,
            key,
            postings: freeze(uid, account, coin.id, row.stake),
          })
          return { answer: work.answer(row) }
        } catch (refused) {
          return { refused }
        }
      })
      return { outcomes, written: rows.length ? Promise.all([store.add(tx, rows), ledger.postAll(tx, events)]) : Promise.resolve() }
    },
  }
}
