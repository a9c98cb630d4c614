import { sql } from 'kysely'
import * as z from 'zod'
import { type Decision, decided, type OfficeNote, type OfficePorts } from '#api-server/kit/decision.ts'
import { loggedCheck } from '#api-server/kit/logged.check.ts'
import { defineProposal, type OpenProposals, type ProposalDone } from '#api-server/kit/proposals.ts'
import { type TermFields, typedTerms } from '#api-server/kit/terms.rules.ts'
import type { Check } from '#api-server/ledger/audit/audit.check.ts'
import { type Coins, coinsOf, dealOf, type OtcContext, quoteCoin } from '#api-server/otc/context.ts'
import { daysOf, leftOf, offerMachine, readOffer } from '#api-server/otc/otc.rules.ts'
import type { OtcOffer } from '#api-server/otc/otc.store.ts'
import type { backOfficeOtcCalls, OtcOfferState, otcOfferRow } from '#contract/calls/office.otc.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

type OtcOfferRow = z.output<typeof otcOfferRow>
export type OtcOfferWhole = z.output<(typeof backOfficeOtcCalls)['office.otcOffer']['output']>
type TypedOtcOffer = z.output<(typeof backOfficeOtcCalls)['office.otcOfferSave']['input']>

/** Members of an offer as a proposal keeps them: decimals as text, times ms UTC. */
const offerTerms = z.object({
  price: z.string(),
  amount_min: z.string(),
  amount_max: z.string(),
  whole: z.string(),
  from: z.int().nullable(),
  until: z.int().nullable(),
  replaces: z.int().nullable(),
})
type OfferTerms = z.output<typeof offerTerms>
const termsOf = (
  row: Pick<OtcOffer, 'price' | 'amount_min' | 'amount_max' | 'whole' | 'from_at' | 'until_at' | 'replaces'>,
): OfferTerms => ({
  price: exact(row.price),
  amount_min: exact(row.amount_min),
  amount_max: exact(row.amount_max),
  whole: exact(row.whole),
  from: row.from_at,
  until: row.until_at,
  replaces: row.replaces,
})

interface OfferContext {
  otc: OtcContext
}
/** @throws ApiProblem('not_found') */
async function offerOf({ store }: OtcContext, id: number, tx?: Tx, field = 'id'): Promise<OtcOffer> {
  const found = await store.offer(id, tx)
  if (!found) throw new ApiProblem('not_found', { field })
  return found
}
function detailOf(known: Coins, row: Pick<OtcOffer, 'side' | 'currency_id' | 'quote_id' | 'price' | 'whole' | 'replaces'>): string {
  const { side, currency_code, quote_code, price } = dealOf(known, row)
  const replaces = row.replaces === null ? '' : `, replaces offer:${row.replaces}`
  return `house ${side === 'buy' ? 'sells' : 'buys'} ${exact(row.whole)} ${currency_code} at ${price} ${quote_code}${replaces}`
}
async function close(otc: OtcContext, decision: Decision, row: OtcOffer): Promise<OfficeNote> {
  const status = offerMachine.next(row.status, 'close')
  if (!status) throw new ApiProblem('state_wrong')
  await otc.store.move(decision, row, { status, closed_by: decision.by })
  return { action: 'offer.close', subject: `offer:${row.id}`, detail: detailOf(await coinsOf(otc, decision.tx), row) }
}

/** Members in the order in which they are shown. */
const offerFields: TermFields = {
  price: { kind: 'decimal', unit: '@quote' },
  amount_min: { kind: 'decimal', unit: '@coin' },
  amount_max: { kind: 'decimal', unit: '@coin' },
  whole: { kind: 'decimal', unit: '@coin' },
  from: { kind: 'time' },
  until: { kind: 'time' },
}

/** Offers of the house. One never changes, so a proposal is about a new offer, which may replace another one. */
export const offerProposals = defineProposal<OfferContext, OfferTerms>({
  kind: 'offer',
  actions: 'offer',
  subject: (id) => `offer:${id}`,
  read: (stored) => offerTerms.parse(stored),
  now: async () => ({ version: 1, terms: undefined }),
  async changes({ otc }, id, _before, after, tx) {
    const row = await offerOf(otc, Number(id), tx)
    const replaced = after.replaces === null ? undefined : await otc.store.offer(after.replaces, tx)
    const { currency_code: coin, quote_code: quote } = dealOf(await coinsOf(otc, tx), row)
    const units = { coin, quote }
    const before = new Map(replaced && typedTerms(offerFields, termsOf(replaced), units).map(({ name, shown }) => [name, shown]))
    // All members, since an offer is new even where it is like the one that it replaces.
    return typedTerms(offerFields, after, units).flatMap((term) => (term.shown ? { ...term, before: before.get(term.name) ?? '' } : []))
  },
  detail: async ({ otc }, id, _after, tx) => detailOf(await coinsOf(otc, tx), await offerOf(otc, Number(id), tx)),
  async check({ otc }, { subject }, tx, at) {
    const row = await offerOf(otc, Number(subject), tx)
    const coin = (await coinsOf(otc, tx)).get(row.currency_id)
    if (coin?.status !== 1) throw new ApiProblem('currency_closed')
    if (row.until_at !== null && row.until_at <= at) throw new ApiProblem('range_reversed', { field: 'until' })
  },
  async apply({ otc }, decision, { subject }) {
    const row = await offerOf(otc, Number(subject), decision.tx)
    await otc.store.move(decision, row, { status: 'open', decided_by: decision.by })
    const before = row.replaces === null ? undefined : await offerOf(otc, row.replaces, decision.tx)
    // An operator may have closed the replaced offer meanwhile.
    return before && offerMachine.next(before.status, 'close') ? [await close(otc, decision, before)] : []
  },
  async dropped({ otc }, decision, subject, status) {
    await otc.store.move(decision, await offerOf(otc, Number(subject), decision.tx), { status, decided_by: decision.by })
  },
})

/** Check D2: each closed offer. */
export const closedOffersCheck: Check = loggedCheck({
  says: 'each closing of an OTC offer stands in the log of the back office',
  over: 'all',
  decisions: () =>
    sql`select 'offer:' || id as subject, 'offer.close' as acts, closed_by as operator, 1::bigint as times from otc_offer where closed_by <> ''`,
})

/** Offers that operators keep. Times are ms UTC. */
export interface Offers {
  readonly proposals: OpenProposals<OfferTerms>
  /** Coins of which offers can be made. */
  currencies(): Promise<{ id: string; label: string }[]>
  offers(filter: { page: number; size: number; status: 'all' | OtcOfferState }): Promise<{ list: OtcOfferRow[]; total: number }>
  /** @throws ApiProblem('not_found') */
  offer(id: number, operator: Operator): Promise<OtcOfferWhole>
  /**
   * This and the next three add their row to the log as the last statement of the transaction.
   * @throws ApiProblem not_found, state_wrong, fresh_login_required, and for what was typed wrong
   */
  propose(tx: Tx, typed: TypedOtcOffer, by: Operator): Promise<{ id: number }>
  /** Customers see the offer from then on; the one that it replaces is closed. @throws ApiProblem not_found, state_wrong, own_decision, currency_closed, range_reversed */
  agree(tx: Tx, id: number, by: Operator): Promise<ProposalDone>
  /** @throws ApiProblem not_found, state_wrong */
  drop(tx: Tx, id: number, by: Operator): Promise<ProposalDone>
  /** @throws ApiProblem not_found, state_wrong */
  close(tx: Tx, id: number, by: Operator): Promise<{ id: number }>
}

/** Creates the offers of the back office. */
export function createOffers(context: OtcContext, office: OfficePorts): Offers {
  const { store } = context
  const proposals = offerProposals.open(office, { otc: context })

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
  /** The open proposal of an offer. @throws ApiProblem not_found, state_wrong */
  async function waiting(tx: Tx, id: number): Promise<number> {
    await offerOf(context, id, tx)
    const found = await proposals.find(String(id), tx)
    if (found === undefined) throw new ApiProblem('state_wrong')
    return found
  }

  return {
    proposals,
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
      const row = await offerOf(context, id)
      return {
        ...offerRow(await coinsOf(context), row),
        ...daysOf(row),
        proposal: (await proposals.shown(String(id), operator))?.shown ?? null,
        ...(await store.ordersOf(id)),
      }
    },
    async propose(tx, typed, by) {
      const known = await coinsOf(context, tx)
      const [coin, quote] = [[...known.values()].find(({ code }) => code === typed.coin), quoteCoin(known)]
      if (!coin || coin.id === quote.id) throw new ApiProblem('currency_unknown', { field: 'coin' })
      const now = office.clock.now()
      const terms = readOffer(typed, { scale: coin.scale, quoteScale: quote.scale }, now)
      const { replaces = null } = typed
      if (replaces !== null) {
        const before = await offerOf(context, replaces, tx, 'replaces')
        const isAlike = before.side === terms.side && before.currency_id === coin.id
        if (before.status !== 'open' || !isAlike) throw new ApiProblem('state_wrong')
      }
      const { subject } = await proposals.propose(tx, by, {
        after: termsOf({ ...terms, replaces }),
        async subject(decision) {
          const about = { currency_id: coin.id, quote_id: quote.id, replaces, proposed_by_id: by.id, proposed_by: by.name, created_at: now }
          const id = await store.propose(decision, { ...terms, ...about })
          if (id === undefined) throw new ApiProblem('state_wrong')
          return String(id)
        },
      })
      return { id: Number(subject) }
    },
    agree: async (tx, id, by) => proposals.agree(tx, by, await waiting(tx, id)),
    drop: async (tx, id, by) => proposals.drop(tx, by, await waiting(tx, id)),
    close: (tx, id, by) =>
      decided(office, tx, by, async (decision) => ({
        answer: { id },
        notes: [await close(context, decision, await offerOf(context, id, tx))],
      })),
  }
}
