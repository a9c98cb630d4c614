import { fillOf, payCodes, projectState } from '#api-server/ieo/ieo.rules.ts'
import type { IeoOrder, IeoOrderOf, IeoProject, IeoStore } from '#api-server/ieo/ieo.store.ts'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { IeoOrderRow, IeoProjectRow } from '#contract/calls/ieo.calls.ts'
import { exact, less } from '#contract/money.ts'
import type { RowChange } from '#contract/topic.ts'

export interface IeoContext extends ProductPorts {
  store: IeoStore
  /** After the commit: tells all apps that a project, its sale or its terms are others. */
  projectsChanged: () => void
}

/** Offered money is frozen in this account, and tokens are credited to it. */
export const account = 'change'

export function projectRow({ clock, reads }: IeoContext, row: IeoProject): IeoProjectRow {
  const now = clock.now()
  const hasMarket = row.market !== '' && reads.instrument(row.market) !== undefined
  return {
    id: row.id,
    terms_version: row.terms_version,
    name: row.name,
    token: row.token,
    token_scale: row.token_scale,
    quote: row.quote,
    price: exact(row.issue_price),
    total: exact(row.issue_total),
    applied: exact(row.applied),
    customers: row.customers,
    passed: row.passed && exact(row.passed),
    fill: fillOf(row.applied, row.issue_total),
    step: exact(row.issue_step),
    least: exact(row.issue_least),
    limit: exact(row.issue_limit),
    pay: payCodes(row.pay_coins).map((code) => ({ code })),
    starts: row.starts_at,
    ends: row.ends_at,
    lists: row.lists_at,
    listed: hasMarket && now >= row.lists_at,
    symbol: hasMarket ? row.market : null,
    lock_days: row.lock_days,
    state: projectState(row, now),
    risk: row.risk,
    simulated: row.simulated,
  }
}

export function orderRow(row: IeoOrderOf): IeoOrderRow {
  const isDecided = row.passed !== null && row.charged !== null
  return {
    id: row.id,
    project_id: row.project_id,
    terms_version: row.terms_version,
    name: row.name,
    token: row.token,
    quote: row.quote,
    price: exact(row.issue_price),
    amount: exact(row.amount),
    pay_currency: row.pay,
    frozen: exact(row.frozen),
    rate: exact(row.rate),
    passed: row.passed && exact(row.passed),
    charged: row.charged && exact(row.charged),
    refunded: isDecided ? less(row.frozen, row.charged!) : null,
    released: exact(row.released),
    next: row.due_at,
    created: row.created_at,
    changed: row.changed_at,
    status: row.status,
    version: row.version,
  }
}
/** An order with what its project says, which does not change while the order does. */
export const orderOf = (project: IeoProject, order: IeoOrder, pay: string): IeoOrderOf => {
  const { name, token, token_scale, quote, issue_price, lists_at, lock_days, releases, applied, issue_total } = project
  return { ...order, name, token, token_scale, quote, pay, issue_price, lists_at, lock_days, releases, all_applied: applied, issue_total }
}

/** After the commit: tells the customer's apps of an order and of the balance that it moved. */
export function tell(context: IeoContext, order: IeoOrderOf, change: RowChange): void {
  context.changed(order.uid)
  tellRow(context, { uid: order.uid, topic: 'ieo_orders', change }, Promise.resolve(orderRow(order)))
}
