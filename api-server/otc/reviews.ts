import Big from 'big.js'
import { type Coins, coinOf, coinsOf, dealOf, eventOf, type OtcContext, quoteCoin, text } from '#api-server/otc/context.ts'
import { daysOf, leftOf, type OfferAction, offerMachine, orderMachine, readOffer } from '#api-server/otc/otc.rules.ts'
import type { OtcOffer, OtcOrder } from '#api-server/otc/otc.store.ts'
import type { OfferDone, OtcOfferRow, OtcReviewRow, OtcReviews } from '#api-server/otc/review.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Operator } from '#server-kit/http/http.ts'

const usdDecimals = 2

/** Offers and orders at the back office, see review.ts. */
export function createReviews(context: OtcContext): OtcReviews {
  const { store, ledger, coins, proofs, notices, clock, told } = context

  function offerRow(known: Coins, row: OtcOffer): OtcOfferRow {
    const { id, status, replaces, proposed_by, decided_by, closed_by } = row
    return {
      id,
      ...dealOf(known, row),
      amount_min: text(row.amount_min),
      amount_max: text(row.amount_max),
      whole: text(row.whole),
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
    return `house ${side === 'buy' ? 'sells' : 'buys'} ${text(row.whole)} ${currency_code} at ${price} ${quote_code}${replaces}`
  }
  /** Changes the state of an offer. The caller adds the row of the audit log, after its last change. */
  async function change(tx: Tx, row: OtcOffer, action: OfferAction, by: Operator): Promise<OfferDone> {
    const status = offerMachine.next(row.status, action)
    if (!status) throw new ApiProblem('state_wrong')
    const name = action === 'close' ? { closed_by: by.name } : { decided_by: by.name }
    await store.move(tx, row, { status, ...name, changed_at: clock.now() })
    return { id: row.id, action, detail: detailOf(await coinsOf(context, tx), row) }
  }
  /** Adds the row of the audit log, so that no caller can forget it. Others that add rows wait from here to the end of the transaction. */
  async function logged(tx: Tx, done: OfferDone, by: Operator): Promise<OfferDone> {
    await context.logged(tx, by, { action: `offer.${done.action}`, subject: `offer:${done.id}`, detail: done.detail })
    return done
  }
  const move = async (tx: Tx, row: OtcOffer, action: OfferAction, by: Operator) => logged(tx, await change(tx, row, action, by), by)

  function orderOf(known: Coins, row: OtcOrder): OtcReviewRow {
    const { id, uid, offer_id, status, reason, decided_by } = row
    const worth = coins.usd(coinOf(known, row.currency_id))?.price
    return {
      id,
      uid,
      offer_id,
      ...dealOf(known, row),
      amount: text(row.amount),
      total: text(row.total),
      usd: worth === undefined ? null : plain(new Big(row.amount).times(worth).round(usdDecimals)),
      status,
      reason,
      decided_by,
      created: row.created_at,
      changed: row.changed_at,
    }
  }
  /** @throws ApiProblem('not_found') */
  async function only(id: number, tx?: Tx): Promise<OtcOrder> {
    const found = await store.order(id, tx)
    if (!found) throw new ApiProblem('not_found', { field: 'id' })
    return found
  }
  async function decide(
    tx: Tx,
    id: number,
    action: 'settle' | 'reject',
    said: { decided_by: string; reason?: string; note?: string },
  ): Promise<OtcReviewRow> {
    // The account first, as who orders and who cancels do.
    const standing = await proofs.lock(tx, (await only(id, tx)).uid, true)
    const found = await only(id, tx)
    const status = orderMachine.next(found.status, action)
    if (!status) throw new ApiProblem('state_wrong')
    if (action === 'settle' && standing.status === 'frozen') throw new ApiProblem('account_frozen')
    const at = clock.now()
    const ended = await store.end(tx, found, { status, changed_at: at, ...said })
    if (!ended) throw new ApiProblem('state_wrong')
    if (action === 'reject') await store.take(tx, ended.offer_id, `-${text(ended.amount)}`)
    await ledger.post(tx, eventOf(ended, at))
    const row = orderOf(await coinsOf(context, tx), ended)
    const figures = { amount: row.amount, coin: row.currency_code }
    if (action === 'settle') await notices.notify(tx, ended.uid, { kind: 'otc_settled', subject: id, figures })
    else await notices.notify(tx, ended.uid, { kind: 'otc_rejected', subject: id, figures: { ...figures, reason: ended.reason } })
    return row
  }

  return {
    waiting: () => store.countWaiting(),
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
    async propose(tx, typed, by) {
      const known = await coinsOf(context, tx)
      const [coin, quote] = [[...known.values()].find(({ code }) => code === typed.coin), quoteCoin(known)]
      if (!coin || coin.id === quote.id) throw new ApiProblem('currency_unknown', { field: 'coin' })
      const now = clock.now()
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
      const id = await store.propose(tx, row)
      if (id === undefined) throw new ApiProblem('state_wrong')
      return logged(tx, { id, action: 'propose', detail: detailOf(known, row) }, by)
    },
    async agree(tx, id, by) {
      const row = await offerOf(id, tx)
      if (offerMachine.next(row.status, 'agree') && row.proposed_by_id === by.id) throw new ApiProblem('own_decision')
      const coin = (await coinsOf(context, tx)).get(row.currency_id)
      if (coin?.status !== 1) throw new ApiProblem('currency_closed')
      if (row.until_at !== null && row.until_at <= clock.now()) throw new ApiProblem('range_reversed', { field: 'until' })
      const done = await change(tx, row, 'agree', by)
      const before = row.replaces === null ? undefined : await offerOf(row.replaces, tx)
      // An operator may have closed the replaced offer meanwhile.
      const closed = before && offerMachine.next(before.status, 'close') && (await change(tx, before, 'close', by))
      if (closed) await logged(tx, closed, by)
      return logged(tx, done, by)
    },
    async drop(tx, id, by) {
      const row = await offerOf(id, tx)
      return move(tx, row, row.proposed_by_id === by.id ? 'withdraw' : 'refuse', by)
    },
    close: async (tx, id, by) => move(tx, await offerOf(id, tx), 'close', by),

    async orders({ page, size, ...filter }) {
      const { rows, total } = await store.find(filter, { page, size })
      const known = await coinsOf(context)
      return { list: rows.map((row) => orderOf(known, row)), total }
    },
    order: async (id) => orderOf(await coinsOf(context), await only(id)),
    approve: (tx, id, by, note) => decide(tx, id, 'settle', { decided_by: by, note }),
    reject: (tx, id, by, reason) => decide(tx, id, 'reject', { decided_by: by, reason }),
    decided: async (id) => told(await only(id), 'update'),
  }
}
