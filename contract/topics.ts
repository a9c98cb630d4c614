import type { CallName } from '#contract/contract.ts'
import type { Topic } from '#contract/topic.ts'

/** An order that is filled goes over to the positions, and a position that is closed to the history: a row in its new list is an insert. */
const leverRows = {
  call: 'lever.orderList',
  key: 'id',
  stamp: 'rev',
  newest: 'first',
  by: { status: 'list', match_id: ['match_id', 'symbol'], side: 'side' },
} as const

/** The topics of the product. */
export const topics = {
  balance: { about: 'the balances or records of the customer have changed' },
  records: {
    about: 'a deposit or withdrawal was made, or its state has changed',
    rows: {
      call: 'wallet.getRecord',
      key: 'id',
      stamp: 'changed',
      newest: 'first',
      by: { type: 'type', currency_id: 'currency_id', id: 'id' },
    },
  },
  addresses: {
    about: 'an address for withdrawals was saved or removed',
    rows: { call: 'wallet.getAddressList', key: 'id', newest: 'first', by: { currency_id: 'currency_id', chain: 'chain' } },
  },
  orders: {
    about: 'a waiting order for a contract was placed, changed, filled or cancelled',
    rows: leverRows,
  },
  positions: {
    about: 'a contract position was opened, changed or closed',
    rows: leverRows,
  },
  options: {
    about: 'a seconds option was opened, or its state has changed',
    rows: { call: 'mic.orderList', key: 'id', stamp: 'version', newest: 'first', by: { status: 'list', symbol: 'symbol' } },
  },
  spot_orders: {
    about: 'an order of spot trading was placed, or its state has changed',
    rows: { call: 'c2c.orderList', key: 'id', stamp: 'version', newest: 'first', by: { status: 'list', symbol: 'symbol', type: 'type' } },
  },
  otc_orders: {
    about: 'an OTC order was made, or its state has changed',
    rows: { call: 'otc.orders', key: 'id', stamp: 'version', newest: 'first', by: { status: 'status', side: 'side', id: 'id' } },
  },
  notices: {
    about: 'something that the customer is told of has happened, or was seen',
    rows: { call: 'notice.list', key: 'id', stamp: 'rev', newest: 'first', by: { group: 'group' } },
  },
  dual_orders: {
    about: 'a dual investment was bought, or its state has changed',
    rows: { call: 'dual.dualList', key: 'id', stamp: 'version', newest: 'first', by: { status: 'status' } },
  },
  dual_products: {
    about: 'a dual investment is on sale, its sale has stopped or goes on, or its terms have changed: told to every customer',
  },
  ieo_orders: {
    about: 'an application for new tokens was made, or its state has changed',
    rows: { call: 'ieo.orders', key: 'id', stamp: 'version', newest: 'first', by: { status: 'status' } },
  },
  ieo_projects: {
    about: 'a sale of new tokens begins, stops, goes on or is allocated, or its terms have changed: told to every customer',
  },
  follows: { about: 'whom the customer copies, a copied position or an application as a trader has changed' },
  mining_orders: {
    about: 'a mining order was made, has paid an income, or its state has changed',
    rows: { call: 'mining.orderList', key: 'id', stamp: 'version', newest: 'first', by: { status: 'status' } },
  },
  mining_products: {
    about: 'a mining product is on sale, its sale has stopped or goes on, or its terms have changed: told to every customer',
  },
} as const satisfies Record<string, Topic<CallName>>
export type TopicName = keyof typeof topics
export const topicNames = Object.keys(topics) as readonly TopicName[]
