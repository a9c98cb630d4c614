import type * as z from 'zod'
import { type Decision, decided, type OfficePorts } from '#api-server/kit/decision.ts'
import { type Coins, coinsOf, dealOf, type OtcContext, quoteCoin } from '#api-server/otc/context.ts'
import { daysOf, leftOf, type OfferAction, offerMachine, readOffer } from '#api-server/otc/otc.rules.ts'
import type { OtcOffer } from '#api-server/otc/otc.store.ts'
import type { backOfficeOtcCalls, OtcOfferState, otcOfferRow } from '#contract/calls/office.otc.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

type OtcOfferRow = z.output<typeof otcOfferRow>
export type OtcOfferWhole = z.output<(typeof backOfficeOtcCalls)['office.otcOffer']['output']>
type TypedOtcOffer = z.output<(typeof backOfficeOtcCalls)['office.otcOfferSave']['input']>

/** A proposal of an offer, or a decision about one, as it stands in the audit log. */
export interface OfferDone {
  id: number
  action: OfferAction | 'propose'
  detail: string
}

/** Offers that operators keep. Times are ms UTC. */
export interface Offers {
  /** Coins of which offers can be made. */
  currencies(): Promise<{ id: string; label: string }[]>
  offers(filter: { page: number; size: number; status: 'all' | OtcOfferState }): Promise<{ list: OtcOfferRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  offer(id: number, operator: Operator): Promise<OtcOfferWhole>
  /**
   * This and the next three add their row to the log as the last statement of the transaction.
   * @throws ApiProblem not_found, state_wrong, and for what was typed wrong
   */
  propose(tx: Tx, typed: TypedOtcOffer, by: Operator): Promise<OfferDone>
  /** Customers see the offer from then on; the one that it replaces is closed. @throws ApiProblem not_found, state_wrong, own_decision, currency_closed, range_reversed */
  agree(tx: Tx, id: number, by: Operator): Promise<OfferDone>
  /** @throws ApiProblem not_found, state_wrong */
  drop(tx: Tx, id: number, by: Operator): Promise<OfferDone>
  /** @throws ApiProblem not_found, state_wrong */
  close(tx: Tx, id: number, by: Operator): Promise<OfferDone>
}

/** Creates the offers of the back office. */
export function createOffers(context: OtcContext, office: OfficePorts): Offers {
  const { store } = context

  function offerRow(known: Coins, row: OtcOffer): OtcOfferRow {
    const { id, status, replaces, proposed_by, decided_by, closed_by } = row
    return {
      id,
      ...dealOf(known, row),
      amount_min: exact(row.amount_min),
      amount_max: exact(row.amount_max),
      whole: exact(row.whole),
      left: leftOf(row),
      from: row.from_at,
      until: row.until_at,
      status,
      replaces,
      proposed_by,
      decided_by,
      closed_by,
      created: row.created_at,
      changed: row.changed_at,
    }
  }
  /** @throws ApiProblem('not_found') */
  async function offerOf(id: number, tx?: Tx, field = 'id'): Promise<OtcOffer> {
    const found = await store.offer(id, tx)
    if (!found) throw new ApiProblem('not_found', { field })
    return found
  }
  function detailOf(known: Coins, row: Pick<OtcOffer, 'side' | 'currency_id' | 'quote_id' | 'price' | 'whole' | 'replaces'>): string {
    const { side, currency_code, quote_code, price } = dealOf(known, row)
    const replaces = row.replaces === null ? '' : `, replaces offer:${row.replaces}`
    return `house ${side === 'buy' ? 'sells' : 'buys'} ${exact(row.whole)} ${currency_code} at ${price} ${quote_code}${replaces}`
  }
  async function change(decision: Decision, row: OtcOffer, action: OfferAction): Promise<OfferDone> {
    const status = offerMachine.next(row.status, action)
    if (!status) throw new ApiProblem('state_wrong')
    await store.move(decision, row, { status, [action === 'close' ? 'closed_by' : 'decided_by']: decision.by })
    return { id: row.id, action, detail: detailOf(await coinsOf(context, decision.tx), row) }
  }
  /** Carries out a decision about offers. @param work gives a row of the log for each; the last one is answered */
  const taken = (tx: Tx, by: Operator, work: (decision: Decision) => Promise<[OfferDone, ...OfferDone[]]>): Promise<OfferDone> =>
    decided(office, tx, by, async (decision) => {
      const done = await work(decision)
      const noteOf = ({ id, action, detail }: OfferDone) => ({ action: `offer.${action}`, subject: `offer:${id}`, detail }) as const
      const [first, ...rest] = done
      return { answer: done.at(-1)!, notes: [noteOf(first), ...rest.map(noteOf)] }
    })

  return {
    async currencies() {
      const known = await coinsOf(context)
      const quote = quoteCoin(known)
      return [...known.values()].filter(({ id, status }) => status === 1 && id !== quote.id).map(({ code }) => ({ id: code, label: code }))
    },
    async offers({ status, ...page }) {
      const { rows, total } = await store.offers(status, page)
      const known = await coinsOf(context)
      return { list: rows.map((row) => offerRow(known, row)), total }
    },
    async offer(id, operator) {
      const row = await offerOf(id)
      const own = row.proposed_by_id === operator.id
      return {
        ...offerRow(await coinsOf(context), row),
        ...daysOf(row),
        own,
        may_agree: row.status === 'proposed' && !own && operator.roles.includes('administrator'),
        ...(await store.ordersOf(id)),
      }
    },
    propose: (tx, typed, by) =>
      taken(tx, by, async (decision) => {
        const known = await coinsOf(context, tx)
        const [coin, quote] = [[...known.values()].find(({ code }) => code === typed.coin), quoteCoin(known)]
        if (!coin || coin.id === quote.id) throw new ApiProblem('currency_unknown', { field: 'coin' })
        const now = decision.at
        const terms = readOffer(typed, { scale: coin.scale, quoteScale: quote.scale }, now)
        const { replaces } = typed
        if (replaces !== undefined) {
          const before = await offerOf(replaces, tx, 'replaces')
          const isAlike = before.side === terms.side && before.currency_id === coin.id
          if (before.status !== 'open' || !isAlike) throw new ApiProblem('state_wrong')
        }
        const row = {
          ...terms,
          currency_id: coin.id,
          quote_id: quote.id,
          replaces: replaces ?? null,
          proposed_by_id: by.id,
          proposed_by: by.name,
          created_at: now,
        }
        const id = await store.propose(decision, row)
        if (id === undefined) throw new ApiProblem('state_wrong')
        return [{ id, action: 'propose', detail: detailOf(known, row) }]
      }),
    agree: (tx, id, by) =>
      taken(tx, by, async (decision) => {
        const row = await offerOf(id, tx)
        if (offerMachine.next(row.status, 'agree') && row.proposed_by_id === by.id) throw new ApiProblem('own_decision')
        const coin = (await coinsOf(context, tx)).get(row.currency_id)
        if (coin?.status !== 1) throw new ApiProblem('currency_closed')
        if (row.until_at !== null && row.until_at <= decision.at) throw new ApiProblem('range_reversed', { field: 'until' })
        const done = await change(decision, row, 'agree')
        const before = row.replaces === null ? undefined : await offerOf(row.replaces, tx)
        // An operator may have closed the replaced offer meanwhile.
        return before && offerMachine.next(before.status, 'close') ? [await change(decision, before, 'close'), done] : [done]
      }),
    drop: (tx, id, by) =>
      taken(tx, by, async (decision) => {
        const row = await offerOf(id, tx)
        return [await change(decision, row, row.proposed_by_id === by.id ? 'withdraw' : 'refuse')]
      }),
    close: (tx, id, by) => taken(tx, by, async (decision) => [await change(decision, await offerOf(id, tx), 'close')]),
  }
}
