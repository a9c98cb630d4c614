import type { CallName } from '#contract/contract.ts'
import type { Topic } from '#contract/topic.ts'

/** The topics of the product. */
export const topics = {
  balance: { about: 'the balances or records of the customer have changed' },
  records: {
    about: 'a deposit or withdrawal was made, or its state has changed',
    rows: { call: 'wallet.getRecord', key: 'id', stamp: 'changed', newest: 'first', by: { type: 'type', currency_id: 'currency_id' } },
  },
  addresses: {
    about: 'an address for withdrawals was saved or removed',
    rows: { call: 'wallet.getAddressList', key: 'id', newest: 'first', by: { currency_id: 'currency_id', chain: 'chain' } },
  },
  spot_orders: {
    about: 'an order of spot trading was placed, or its state has changed',
    rows: { call: 'c2c.orderList', key: 'id', stamp: 'version', newest: 'first', by: { status: 'list', symbol: 'symbol', type: 'type' } },
  },
} as const satisfies Record<string, Topic<CallName>>
export type TopicName = keyof typeof topics
export const topicNames = Object.keys(topics) as readonly TopicName[]
