import Big from 'big.js'
import { sql } from 'kysely'
import { defineQueue } from '#api-server/kit/queue.ts'
import { coinOf, coinsOf, dealOf, eventOf, type OtcContext } from '#api-server/otc/context.ts'
import { orderMachine } from '#api-server/otc/otc.rules.ts'
import { decideOrder, type OtcOrder } from '#api-server/otc/otc.store.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

const usdDecimals = 2

/** Figures of an order, for the notice to the customer. */
async function figuresOf(context: OtcContext, tx: Tx, order: OtcOrder): Promise<{ amount: string; coin: string }> {
  const { code } = coinOf(await coinsOf(context, tx), order.currency_id)
  return { amount: exact(order.amount), coin: code }
}

/** OTC orders of customers; one reviewer decides. */
export const otcQueue = defineQueue<OtcContext, OtcOrder, 'office.otcOrders', 'office.otcOrder'>({
  subject: 'otc',
  list: 'office.otcOrders',
  one: 'office.otcOrder',
  rows: sql<OtcOrder>`select * from otc_order`,
  table: 'otc_order',
  waiting: ['reviewing'],
  counts: { otc: ['reviewing'] },
  async shown(context, rows, _operator, tx) {
    const known = await coinsOf(context, tx)
    return rows.map((row) => {
      const worth = context.coins.usd(coinOf(known, row.currency_id))?.price
      return {
        id: row.id,
        offer_id: row.offer_id,
        ...dealOf(known, row),
        amount: exact(row.amount),
        total: exact(row.total),
        usd: worth === undefined ? null : plain(new Big(row.amount).times(worth).round(usdDecimals)),
        status: row.status,
        reason: row.reason,
        decided_by: row.decided_by,
        created: row.created_at,
        changed: row.changed_at,
      }
    })
  },
  steps: {
    'office.otcApprove': {
      action: 'otc.approve',
      to: ['settled'],
      async work({ context, decision, row, input, standing }) {
        if (!orderMachine.next(row.status, 'settle')) throw new ApiProblem('state_wrong')
        if (standing.status === 'frozen') throw new ApiProblem('account_frozen')
        const after = await decideOrder(decision, row, { status: 'settled', note: input.note ?? '' })
        await context.ledger.post(decision.tx, eventOf(after, decision.at))
        return { row: after, notice: { kind: 'otc_settled', subject: row.id, figures: await figuresOf(context, decision.tx, after) } }
      },
    },
    'office.otcReject': {
      action: 'otc.reject',
      to: ['rejected'],
      async work({ context, decision, row, input: { reason } }) {
        if (!orderMachine.next(row.status, 'reject')) throw new ApiProblem('state_wrong')
        const after = await decideOrder(decision, row, { status: 'rejected', reason })
        await context.store.take(decision.tx, after.offer_id, `-${exact(after.amount)}`)
        await context.ledger.post(decision.tx, eventOf(after, decision.at))
        const figures = await figuresOf(context, decision.tx, after)
        return { row: after, notice: { kind: 'otc_rejected', subject: row.id, figures: { ...figures, reason } } }
      },
    },
  },
  async announce({ store, announce }, { id }) {
    const order = await store.order(id)
    if (order) announce(order, 'update')
  },
  audit: { about: 'an OTC order', over: 'otc_order', range: 'id' },
})
