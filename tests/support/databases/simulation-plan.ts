import { type Decision, proofsOf } from '#tests/support/databases/wallet-stage.ts'
import { chance } from '#tests/support/house/sizes.ts'
import type { MoneyCall } from '#tests/support/people/product-calls.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/** Plans the operations on several nodes. All of them are drawn from a seed before the first one runs. */

export const nodeCount = 3
export const customerCount = 6
/** The first customer, whose contracts others copy. */
const trader = 0

/** Requests of customers: calls that move money, and levels at which a price closes a position. */
export type SimulatedCall = MoneyCall | 'lever.setStopPrice'

/** Calls that may post no event with their key: there is no money to move, or the engine of spot trading moves it later. */
export const withoutEvent: readonly SimulatedCall[] = [
  'c2c.cancel',
  'c2c.cancelAll',
  'c2c.move',
  'lever.orderMove',
  'lever.closeAll',
  'lever.setStopPrice',
  'wallet.recharge',
  'follow.follow',
  'follow.cancel',
]
/** Calls that may post several events with their key, all in one transaction. */
export const severalEvents: readonly SimulatedCall[] = ['lever.reverse', 'lever.closeAll', 'lever.orderMove']
/** Calls that may be refused after they have posted an event: the order was filled or cancelled before the engine moved it. */
export const refusedAfterwards: readonly SimulatedCall[] = ['c2c.move']

/** The decision of an operator about a deposit or withdrawal. The decision follows from its number, so that operators of two nodes decide alike. */
export function decisionOf({ type, id, status }: { type: string; id: number; status: string }): Decision {
  if (status === 'sent') return { action: 'done' }
  if (id % 4 === 0) return { action: 'reject', reason: 'unclear' }
  return type === 'withdraw' && status === 'approved'
    ? { action: 'sent', reference: `sent ${id}` }
    : { action: 'approve', fourEyesUsd: '1000000' }
}

/** Something that a customer asks for. */
export interface Operation {
  /** From 1; also its idempotency key. */
  n: number
  /** Place of the node that is asked first. While nobody knows the outcome, the next ones are asked in turn. */
  node: number
  name: SimulatedCall
  customer: number
  fields: Record<string, string>
  /** The operation that opened what this one changes or ends: its id is a field. */
  of?: number
}

interface Fault {
  what: 'none' | 'cut' | 'kill' | 'lease' | 'clock' | 'bus'
  node: number
  afterMs: number
  /** How long the way of the node to the database or to the bus is cut. */
  lastsMs: number
  /** How far the clock of the node is from the others from now on. */
  apartMs: number
}

export interface Step {
  laterMs: number
  price: number
  operations: Operation[]
  fault: Fault
  /** Commits of a node that fail, after so many others. */
  commits: { node: number; how: 'before' | 'after'; skipped: number }[]
}

const faults = ['none', 'cut', 'cut', 'kill', 'lease', 'clock', 'clock', 'bus', 'bus'] as const
const market = { match_id: 'BTCUSDT', multiple: '20' }
/** The call that ends the result of an operation. Limit orders for contracts are cancelled. */
const endings: Partial<Record<SimulatedCall, SimulatedCall>> = {
  'lever.orderOpen': 'lever.close',
  'lever.reverse': 'lever.close',
  'c2c.trade': 'c2c.cancel',
  'otc.order': 'otc.cancel',
  'wallet.withdraw': 'wallet.cancelWithdraw',
}

/** The data that exists before the first step. */
export interface Beginning {
  /** The OTC offer that is ordered from. */
  offer: number
  /** Account of the trader. */
  trader: number
  /** By customer, the address that they withdraw to. */
  addresses: readonly string[]
  /** By customer, the picture that they send with a deposit. */
  pictures: readonly string[]
}

/**
 * @param count of all operations
 * @param each how many operations a step has on the average
 */
export function drawSteps(seed: number, count: number, each: number, { offer, trader: copied, addresses, pictures }: Beginning): Step[] {
  const draw = chance(seed)
  let price = 50_000
  let asked = 0
  /** Operations of earlier steps whose position or order nothing has ended yet. */
  let open: Operation[] = []

  const follow = { ...inputs['follow.follow'], trader_user_id: `${copied}`, number: '0.5' }
  const opening: Record<string, (customer: number) => [SimulatedCall, Record<string, string>]> = {
    open: () => ['lever.orderOpen', { ...market, side: draw.of(['long', 'short']), lots: `${1 + draw.below(5)}` }],
    order: () => ['lever.orderOpen', { ...market, side: 'long', lots: '1', type: 'limit', price: `${price - 20}` }],
    option: () => [
      'mic.orderOpen',
      { match_id: 'BTCUSDT', currency_id: '3', type: draw.of(['up', 'down']), seconds: draw.of(['30', '60']), number: '50' },
    ],
    spot: () => [
      'c2c.trade',
      {
        type: draw.of(['buy', 'buy', 'sell']),
        amount: '0.002',
        currency_id: '1',
        legal_id: '3',
        tradeType: 'limit',
        target_price: `${50_000 + draw.below(5) - 2}`,
      },
    ],
    deal: () => ['otc.order', { offer_id: `${offer}`, amount: '0.002' }],
    transfer: () => ['wallet.transfer', { currency_id: '3', amount: '10', from: draw.of(['change', 'micro']), to: 'lever' }],
    withdrawal: (customer) => ['wallet.withdraw', { currency_id: '3', amount: '100', address_id: addresses[customer]!, ...proofsOf }],
    exchange: () => [
      'wallet.exchange',
      draw.of([
        { from_currency_id: '3', to_currency_id: '1', amount: '10' },
        { from_currency_id: '1', to_currency_id: '3', amount: '0.0002' },
      ]),
    ],
    deposit: (customer) => ['wallet.recharge', { currency_id: '3', amount: '250', chain: 'ERC20', imgs: pictures[customer]! }],
    ends: () =>
      draw.of([
        ['lever.closeAll', {}],
        ['c2c.cancelAll', {}],
        ['follow.cancel', { trader_user_id: `${copied}` }],
      ]),
    follows: () => ['follow.follow', follow],
  }

  /** A profit is taken, or a loss stopped, near the price. @param side of the position or order; unknown: as if it were long */
  function stops(side: string | undefined): [SimulatedCall, Record<string, string>] {
    const up = side === 'short' ? -1 : 1
    const fields = { target_profit_price: `${price + up * (1 + draw.below(40))}`, stop_loss_price: `${price - up * (1 + draw.below(40))}` }
    return ['lever.setStopPrice', fields]
  }
  const ofPosition: ((opener: Operation) => [SimulatedCall, Record<string, string>])[] = [
    () => ['lever.close', { lots: '0.5' }],
    () => ['lever.margin', { action: draw.of(['add', 'remove']), amount: '5' }],
    () => ['lever.reverse', {}],
    ({ fields }) => stops(fields.side),
  ]
  /** Returns a call that changes the result of an operation. */
  function changeOf(opener: Operation): [SimulatedCall, Record<string, string>] | undefined {
    const { name, fields } = opener
    if (name === 'c2c.trade') return ['c2c.move', { price: `${50_000 + draw.below(5) - 2}` }]
    if (fields.type === 'limit') return draw.next() < 0.5 ? ['lever.orderMove', { price: `${price - draw.below(40)}` }] : stops(fields.side)
    return endings[name] === 'lever.close' ? draw.of(ofPosition)(opener) : undefined
  }

  function operation(): Operation {
    const [n, node] = [++asked, draw.below(nodeCount)]
    if (draw.next() < 0.3 && open.length) {
      const opener = draw.of(open)
      const { customer, n: of } = opener
      const change = draw.next() < 0.5 ? changeOf(opener) : undefined
      if (!change || change[0] === 'lever.reverse') open = open.filter((one) => one !== opener)
      if (change) return { n, node, name: change[0], customer, fields: change[1], of }
      const name = opener.fields.type === 'limit' ? 'lever.cancel' : endings[opener.name]!
      return { n, node, name, customer, fields: {}, of }
    }
    const what = draw.of(Object.keys(opening))
    // The trader opens often, so that there is much to copy.
    const customer = what === 'open' && draw.next() < 0.5 ? trader : draw.below(customerCount)
    const [name, fields] = opening[what]!(customer)
    return { n, node, name, customer, fields }
  }

  const step = (): Step => {
    const laterMs = draw.of([200, 1_000, 5_000, 15_000])
    price += draw.below(41) - 20
    const operations = Array.from({ length: Math.min(count - asked, 1 + draw.below(2 * each - 1)) }, operation)
    open = [...open, ...operations.filter(({ name }) => endings[name])]
    const fault: Fault = {
      what: draw.of(faults),
      node: draw.below(nodeCount),
      afterMs: Math.floor(30 * draw.next()),
      lastsMs: draw.of([50, 300, 1_000]),
      apartMs: draw.of([0, 0, -5_000, 5_000, 40_000, -40_000, 3_600_000]),
    }
    const commits = Array.from({ length: draw.below(3) }, () => ({
      node: draw.below(nodeCount),
      how: draw.of(['before', 'after'] as const),
      skipped: draw.below(4),
    }))
    return { laterMs, price, operations, fault, commits }
  }
  const steps: Step[] = []
  while (asked < count) steps.push(step())
  return steps
}
