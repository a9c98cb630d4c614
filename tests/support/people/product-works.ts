import { sql } from 'kysely'
import type { ProductsStage } from '#tests/support/databases/products-stage.ts'
import type { Decision } from '#tests/support/databases/wallet-stage.ts'
import { type MoneyCall, moneyCallNames, type Ready, readyOn } from '#tests/support/people/product-calls.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { until } from '#tests/support/until.ts'

/** Positions and orders that a price ends, fills or cancels: the order, the price, and the state that follows. Each has a market of its own. */
const levels = {
  'lever.stopLoss': {
    symbol: 'BNBUSDT',
    order: { stop_loss_price: '99' },
    price: '98.9',
    state: 'closed',
    leaves: 'lever_close stop_loss',
  },
  'lever.takeProfit': {
    symbol: 'SOLUSDT',
    order: { target_profit_price: '101' },
    price: '101.5',
    state: 'closed',
    leaves: 'lever_close take_profit',
  },
  'lever.liquidation': { symbol: 'LTCUSDT', order: { multiple: '100' }, price: '90', state: 'closed', leaves: 'lever_close liquidated' },
  'lever.fill': { symbol: 'AVAXUSDT', order: { type: 'limit', price: '99' }, price: '98.9', state: 'open', leaves: 'event lever_fill' },
  'lever.passed': {
    symbol: 'LINKUSDT',
    order: { type: 'limit', price: '99', stop_loss_price: '98' },
    price: '97',
    state: 'cancelled',
    leaves: 'lever_position cancelled',
  },
} as const
type LevelWork = keyof typeof levels

/** Work that no call makes: of prices, of time, of what others do, and of operators. */
const timedWorks = [
  'lever.night',
  'dual.settled',
  'ieo.allocated',
  'ieo.unlocked',
  'mic.won',
  'mic.lost',
  'follow.opened',
  'follow.closed',
  'follow.stopped',
] as const
const otherWorks = ['c2c.met', 'otc.approved', 'otc.rejected', 'wallet.credited', 'wallet.sent', 'wallet.rejected'] as const
export type Work = (typeof timedWorks)[number] | LevelWork | (typeof otherWorks)[number]

export type RowName = MoneyCall | Work
/** All rows. The night is the first: a contract that another row leaves open would be charged for it too. */
export const rowNames: readonly RowName[] = [...timedWorks, ...(Object.keys(levels) as LevelWork[]), ...otherWorks, ...moneyCallNames]
/** Rows whose end depends on when it happens; beside other work, or after a long time without a node, they may end otherwise. */
export const isTimed = (name: RowName): boolean => (timedWorks as readonly string[]).includes(name)

export interface Row {
  /** A new customer for whom it may be done. The amounts that it moves do not depend on the customer. */
  ready(): Promise<Ready>
  /** Rows and balances of its customer in the end, as `holdings` names them; left out for calls, whose answers show them. */
  leaves?: string
  /** Sets it off and waits until it is done. Set off again with the same key, it is done as if it had been set off once. */
  act(ready: Ready, key: string): Promise<unknown>
}

/** Usual prices: of bitcoin, and of every market of a work before and after it. */
const usual = { BTCUSDT: '50000' }
const base = '100'
const markets = {
  'lever.night': 'NEARUSDT',
  'dual.settled': 'ATOMUSDT',
  'mic.won': 'TRXUSDT',
  'mic.lost': 'ADAUSDT',
  'follow.opened': 'DOTUSDT',
  'follow.closed': 'DOTUSDT',
  'follow.stopped': 'UNIUSDT',
} as const satisfies Partial<Record<(typeof timedWorks)[number], string>>
const dayMs = 24 * 3_600_000
/** An option of the shortest duration, and when a price may come that settles it. */
const optionMs = 30_000

/** How each call and each work is made ready and set off. */
export function tableOn(stage: ProductsStage): Record<RowName, Row> {
  const { wallet, lever, mic, follow, otc, dual, ieo } = stage
  const { db } = wallet.database
  const usdt = String(wallet.idOf('USDT'))
  const ready = readyOn(stage)
  const order = (symbol: string, lots = '1') => ({ match_id: symbol, side: 'long', lots, multiple: '20' })

  async function customer(money: Partial<Record<'change' | 'lever' | 'micro', string>>): Promise<number> {
    const uid = await wallet.user()
    for (const [kind, amount] of Object.entries(money)) await wallet.credit(uid, 'USDT', amount, kind as 'change')
    return uid
  }
  const idOf = ({ fields }: Ready) => Number(fields.id)
  const position = (id: number) => db.selectFrom('lever_position').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  /** A price comes and stays until it has done what it does. */
  async function visit(symbol: string, price: string, holds: () => Promise<boolean>): Promise<void> {
    lever.tick(price, symbol)
    await until(holds)
    lever.tick(base, symbol)
  }

  /** An application in a sale of its own, which ends soon and locks nothing. */
  async function applied(): Promise<Ready> {
    const ends_at = lever.now() + optionMs
    const project = await ieo.project({ starts_at: 0, ends_at, lists_at: ends_at, lock_days: 0, releases: 1, issue_total: '60' })
    const uid = await customer({ change: '1000' })
    const { id } = await stage.call('ieo.order', uid, { project_id: String(project), amount: '60', pay_currency: 'USDT', price: '0.05' })
    // The sale is over after this price.
    lever.tick(base, markets['dual.settled'], optionMs)
    return { uid, fields: { id: String(id), project: String(project) } }
  }
  /** Two operators agree to the allocation, once, after the end of the sale. */
  const allocated = (project: number) =>
    until(async () => {
      const { state, digest, proposal } = await ieo.preview(project)
      if (state === 'ended' && !proposal) await ieo.office('office.ieoAllocate', { id: String(project), digest })
      if (proposal) await ieo.agree(proposal.id)
      return state === 'allocated' || state === 'unlocked'
    })

  const levelRow = ({ symbol, order: own, price, state, leaves }: (typeof levels)[LevelWork]): Row => ({
    leaves,
    async ready() {
      const uid = await customer({ lever: '1000' })
      const { id } = await stage.call('lever.orderOpen', uid, { ...order(symbol), ...own })
      return { uid, fields: { id: String(id) } }
    },
    act: (one) => visit(symbol, price, async () => (await position(idOf(one))).state === state),
  })

  function option(symbol: string, last: string, leaves: string): Row {
    return {
      leaves,
      async ready() {
        const uid = await customer({ micro: '1000' })
        lever.tick(base, symbol)
        const fields = { match_id: symbol, currency_id: usdt, type: 'up', seconds: String(optionMs / 1_000), number: '100' }
        const { id } = await stage.call('mic.orderOpen', uid, fields)
        // The price that settles it, and one that comes after its end.
        lever.tick(last, symbol, optionMs - 2_000)
        lever.tick(base, symbol, 4_000)
        await lever.market.reads.durable(lever.market.reads.lastPrice(symbol)!.tickId)
        return { uid, fields: { id: String(id) } }
      },
      act: (one) =>
        until(async () => {
          await mic.settle()
          const { settled_at } = await db
            .selectFrom('option_order')
            .select('settled_at')
            .where('id', '=', idOf(one))
            .executeTakeFirstOrThrow()
          return settled_at !== null
        }),
    }
  }

  /** A customer who copies a trader. */
  async function follower(over: Record<string, string> = {}): Promise<{ uid: number; trader: number }> {
    const [trader, uid] = [await customer({ lever: '1000' }), await customer({ lever: '1000' })]
    await follow.accept(trader)
    await stage.call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), number: '0.5', ...over })
    return { uid, trader }
  }
  async function copied(symbol: string, over?: Record<string, string>) {
    const { uid, trader } = await follower(over)
    const { id } = await stage.call('lever.orderOpen', trader, order(symbol, '2'))
    await follow.copied()
    return { uid, fields: { trader: String(trader), id: String(id) } }
  }

  /** A request that operators decide, step after step. */
  const request = (name: 'wallet.recharge' | 'wallet.withdraw', decisions: Record<string, Decision>, leaves: string): Row => ({
    leaves,
    async ready() {
      const { uid, fields } = await ready[name]()
      const { id } = (await stage.call(name, uid, fields)) as { id: number }
      return { uid, fields: { id: String(id) } }
    },
    async act(one) {
      const [, type] = name.split('.') as [string, 'recharge' | 'withdraw']
      for (;;) {
        const { status } = await db.selectFrom('funding').select('status').where('id', '=', idOf(one)).executeTakeFirstOrThrow()
        const decision = decisions[status]
        if (!decision) return
        await wallet.decide(type, idOf(one), decision)
      }
    },
  })
  /** An order of OTC that an operator decides, unless one has. */
  const decided = (decide: (id: number) => Promise<unknown>, leaves: string): Row => ({
    leaves,
    async ready() {
      const { uid, fields } = await ready['otc.order']()
      const { id } = await stage.call('otc.order', uid, fields)
      return { uid, fields: { id: String(id) } }
    },
    async act(one) {
      const { status } = await db.selectFrom('otc_order').select('status').where('id', '=', idOf(one)).executeTakeFirstOrThrow()
      if (status === 'reviewing') await decide(idOf(one))
    },
  })
  const approve: Decision = { action: 'approve', fourEyesUsd: '1000000' }

  const works: Record<Work, Row> = {
    ...(Object.fromEntries(Object.entries(levels).map(([name, level]) => [name, levelRow(level)])) as Record<LevelWork, Row>),
    'lever.night': {
      leaves: 'event lever_overnight',
      async ready() {
        const uid = await customer({ lever: '1000' })
        const { id } = await stage.call('lever.orderOpen', uid, order(markets['lever.night']))
        return { uid, fields: { id: String(id), night: String(Math.ceil(lever.now() / dayMs) * dayMs) } }
      },
      /** One night, after which the position is closed: it would be charged for the next one. */
      async act({ uid, fields: { id, night } }, key) {
        lever.tick(base, markets['lever.night'], Math.max(1_000, Number(night) + 1_000 - lever.now()))
        await until(async () => {
          await lever.lever.runner.look()
          return (await db.selectFrom('lever_overnight').select('fee').where('position_id', '=', Number(id)).execute()).length > 0
        })
        await stage.callAt(0, 'lever.close', uid, { id: id! }, key)
      },
    },
    'dual.settled': {
      leaves: 'dual_order success',
      async ready() {
        const symbol = markets['dual.settled']
        const matures = lever.now() + optionMs
        // A maturity at 08:00 UTC would let days pass for the works beside it.
        await sql`alter table dual_product drop constraint if exists dual_product_maturity`.execute(db)
        const id = await dual.product({ symbol, base_id: wallet.idOf('ETH'), linked: '200', ends_at: matures, matures_at: matures })
        const uid = await wallet.user()
        await wallet.credit(uid, 'ETH', '1')
        const order = await stage.call('dual.buyDual', uid, { id: String(id), num: '5', currency_id: String(wallet.idOf('ETH')) })
        // The price that settles it, and one that comes after the maturity.
        lever.tick('201', symbol, optionMs - 2_000)
        lever.tick(base, symbol, 4_000)
        await lever.market.reads.durable(lever.market.reads.lastPrice(symbol)!.tickId)
        return { uid, fields: { id: String(order.id) } }
      },
      act: (one) =>
        until(async () => {
          await dual.settle()
          const { outcome } = await db.selectFrom('dual_order').select('outcome').where('id', '=', idOf(one)).executeTakeFirstOrThrow()
          return outcome !== null
        }),
    },
    'ieo.allocated': {
      leaves: 'ieo_order locked',
      ready: applied,
      act: ({ fields }) => allocated(Number(fields.project)),
    },
    'ieo.unlocked': {
      leaves: 'ieo_order unlocked',
      async ready() {
        const one = await applied()
        await allocated(Number(one.fields.project))
        return one
      },
      act: ({ fields: { id } }) =>
        until(async () => {
          await ieo.unlock()
          const { status } = await db.selectFrom('ieo_order').select('status').where('id', '=', Number(id)).executeTakeFirstOrThrow()
          return status === 'unlocked'
        }),
    },
    'mic.won': option(markets['mic.won'], '101', 'option_order won'),
    'mic.lost': option(markets['mic.lost'], '99', 'option_order lost'),
    'follow.opened': {
      leaves: 'follow_copy open',
      async ready() {
        const { uid, trader } = await follower()
        return { uid, fields: { trader: String(trader) } }
      },
      async act({ fields }, key) {
        await stage.callAt(0, 'lever.orderOpen', Number(fields.trader), order(markets['follow.opened'], '2'), key)
        await follow.copied()
      },
    },
    'follow.closed': {
      leaves: 'follow_copy closed',
      ready: () => copied(markets['follow.closed']),
      async act({ fields: { trader, id } }, key) {
        await stage.callAt(0, 'lever.close', Number(trader), { id: id! }, key)
        await follow.copied()
      },
    },
    'follow.stopped': {
      leaves: 'follow lost',
      ready: () => copied(markets['follow.stopped'], { stop_loss: '5' }),
      /** The trader closes with a loss, so that the copy has lost what its customer allows, and opens another position, which is not copied. */
      async act({ fields: { trader, id } }, key) {
        const symbol = markets['follow.stopped']
        lever.tick('98', symbol)
        await stage.callAt(0, 'lever.close', Number(trader), { id: id! }, key)
        await follow.copied()
        await stage.callAt(0, 'lever.orderOpen', Number(trader), order(symbol, '2'), `${key}-next`)
        await follow.copied()
        lever.tick(base, symbol)
      },
    },
    'c2c.met': {
      leaves: 'spot_order filled',
      async ready() {
        const [uid, other] = [await wallet.user(), await customer({ change: '100000' })]
        await wallet.credit(uid, 'ETH', '1')
        const fields = { amount: '0.1', currency_id: String(wallet.idOf('ETH')), legal_id: usdt, tradeType: 'limit', target_price: '2600' }
        const { id } = await stage.call('c2c.trade', uid, { ...fields, type: 'sell' })
        return { uid, fields: { id: String(id), other: String(other), ...fields } }
      },
      /** Another customer buys until the order is filled: others that wait at its price may come first. */
      async act({ fields: { id, other, ...fields } }, key) {
        for (let at = 0; ; at++) {
          const order = await db.selectFrom('spot_order').select('status').where('id', '=', Number(id)).executeTakeFirstOrThrow()
          if (order.status === 'filled') return
          await stage.callAt(0, 'c2c.trade', Number(other), { ...fields, type: 'buy' }, `${key}-${at}`)
        }
      },
    },
    'otc.approved': decided(otc.approve, 'otc_order settled'),
    'otc.rejected': decided((id) => otc.reject(id), 'otc_order rejected'),
    'wallet.credited': request('wallet.recharge', { reviewing: approve }, 'funding recharge credited'),
    'wallet.sent': request(
      'wallet.withdraw',
      { reviewing: approve, approved: { action: 'sent', reference: 'sent' }, sent: { action: 'done' } },
      'funding withdraw done',
    ),
    'wallet.rejected': request('wallet.withdraw', { reviewing: { action: 'reject', reason: 'unclear' } }, 'funding withdraw rejected'),
  }
  const calls = moneyCallNames.map((name): [MoneyCall, Row] => [
    name,
    { ready: ready[name], act: ({ uid, fields }, key) => stage.callAt(0, name, uid, fields, key) },
  ])
  return { ...works, ...(Object.fromEntries(calls) as Record<MoneyCall, Row>) }
}

/** Every market of the table has its usual price, as it has between the works. */
export function usualPrices({ lever }: Pick<ProductsStage, 'lever'>): void {
  for (const [symbol, price] of Object.entries(usual)) lever.tick(price, symbol, 0)
  const own = [...Object.values(levels).map(({ symbol }) => symbol), ...Object.values(markets)]
  for (const symbol of new Set(own)) lever.tick(base, symbol, 0)
}
