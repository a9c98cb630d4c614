import { contract } from '#contract/contract.ts'
import type { ProductsStage } from '#tests/support/databases/products-stage.ts'
import { proofsOf } from '#tests/support/databases/wallet-stage.ts'
import { inputs } from '#tests/support/right-inputs.ts'

/** Calls whose answer is stored with what they move or change, and that therefore happen once for their key. */
export type MoneyCall = {
  [N in keyof typeof contract]: (typeof contract)[N] extends { readonly keyed: 'money' } ? N : never
}[keyof typeof contract]
export const moneyCallNames = Object.entries(contract).flatMap(([name, row]) =>
  'keyed' in row && row.keyed === 'money' ? [name as MoneyCall] : [],
)

export interface Ready {
  uid: number
  fields: Record<string, string>
}

/**
 * How each call is made ready: a new customer who may make it, and its fields. A call that is missing here does not compile. The amounts
 * that a call moves do not depend on the customer, so that two customers who make it have the same.
 */
export function readyOn(stage: ProductsStage): Record<MoneyCall, () => Promise<Ready>> {
  const { wallet, follow, otc, dual, ieo } = stage
  const usdt = String(wallet.idOf('USDT'))
  const btc = String(wallet.idOf('BTC'))
  const market = { match_id: 'BTCUSDT', side: 'long', lots: '2', multiple: '20' }
  const moved = { currency_id: usdt, from: 'change', to: 'lever' }
  const spotOrder = { type: 'buy', amount: '0.002', currency_id: btc, legal_id: usdt, tradeType: 'limit', target_price: '40000' }
  const resting = { ...spotOrder, amount: '0.001' }

  async function customer(money: Partial<Record<'change' | 'lever' | 'micro', string>> = { change: '1000', lever: '1000', micro: '1000' }) {
    const uid = await wallet.user()
    for (const kind of ['change', 'lever', 'micro'] as const) if (money[kind]) await wallet.credit(uid, 'USDT', money[kind], kind)
    return uid
  }
  const withFields = (fields: Record<string, string>) => async () => ({ uid: await customer(), fields })
  /** After a call of the same customer; the fields name its row. */
  const after =
    (name: MoneyCall, before: Record<string, string>, fields: Record<string, string> = {}) =>
    async () => {
      const uid = await customer()
      const { id } = (await stage.call(name, uid, before)) as { id: number }
      return { uid, fields: { id: String(id), ...fields } }
    }
  async function withdrawal() {
    const uid = await customer()
    return { uid, fields: { currency_id: usdt, amount: '250', address_id: await wallet.address(uid), ...proofsOf } }
  }
  async function trader(): Promise<number> {
    const uid = await customer()
    await follow.accept(uid)
    return uid
  }
  /** A customer who copies a trader. */
  async function follower() {
    const [trader_user_id, uid] = [await trader(), await customer()]
    await stage.call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader_user_id), number: '0.5' })
    return { uid, trader: trader_user_id }
  }
  let offer: Promise<number> | undefined
  const otcOrder = async () => {
    offer ??= otc.offer({ whole: '100000' })
    return { uid: await customer({ change: '100000' }), fields: { offer_id: String(await offer), amount: '0.5' } }
  }

  let product: Promise<number> | undefined
  let sale: Promise<number> | undefined
  /** An application in a sale that lasts for years. */
  const application = async () => {
    sale ??= ieo.project({ starts_at: 0, ...ieo.lasting() })
    return { project_id: String(await sale), amount: '100', pay_currency: 'USDT', price: '0.05' }
  }
  let mined: Promise<number> | undefined

  return {
    'wallet.transfer': withFields({ ...moved, amount: '250' }),
    'user.Transfer': withFields({ ...moved, number: '250' }),
    'wallet.exchange': async () => {
      const [uid, pair] = [await customer(), { from_currency_id: usdt, to_currency_id: btc }]
      const { quote_id } = await stage.call('wallet.getExchangeRate', uid, pair)
      return { uid, fields: { ...pair, amount: '250', quote_id } }
    },
    'wallet.recharge': async () => {
      const uid = await customer()
      return { uid, fields: { currency_id: usdt, amount: '250', chain: 'ERC20', imgs: `/api/upload/${uid}-proof` } }
    },
    'wallet.withdraw': withdrawal,
    'wallet.cancelWithdraw': async () => {
      const { uid, fields } = await withdrawal()
      const { id } = await stage.call('wallet.withdraw', uid, fields)
      return { uid, fields: { id: String(id) } }
    },
    'lever.orderOpen': withFields(market),
    'lever.close': after('lever.orderOpen', market, { lots: '0.5' }),
    'lever.closeAll': async () => {
      const uid = await customer()
      for (const side of ['long', 'short']) await stage.call('lever.orderOpen', uid, { ...market, side })
      return { uid, fields: {} }
    },
    'lever.orderMove': after('lever.orderOpen', { ...market, type: 'limit', price: '40000' }, { price: '41000' }),
    'lever.margin': after('lever.orderOpen', market, { action: 'add', amount: '5' }),
    'lever.reverse': after('lever.orderOpen', market),
    'lever.cancel': after('lever.orderOpen', { ...market, type: 'limit', price: '40000' }),
    'mic.orderOpen': withFields({ match_id: 'BTCUSDT', currency_id: usdt, type: 'up', seconds: '60', number: '100' }),
    'c2c.trade': withFields(spotOrder),
    'c2c.move': after('c2c.trade', spotOrder, { price: '41000' }),
    'c2c.cancel': after('c2c.trade', spotOrder),
    'c2c.cancelAll': async () => {
      const uid = await customer()
      for (const order of [spotOrder, resting]) await stage.call('c2c.trade', uid, order)
      return { uid, fields: {} }
    },
    'follow.follow': async () => {
      const fields = { ...inputs['follow.follow'], trader_user_id: String(await trader()), number: '0.5' }
      return { uid: await customer(), fields }
    },
    'follow.cancel': async () => {
      const { uid, trader: id } = await follower()
      return { uid, fields: { trader_user_id: String(id) } }
    },
    'follow.selfHolding': async () => {
      const { uid, trader: id } = await follower()
      await stage.call('lever.orderOpen', id, market)
      await follow.copied()
      const { list } = await stage.call('follow.copies', uid)
      return { uid, fields: { transaction_id: String(list[0]!.id) } }
    },
    'follow.apply': async () => {
      const uid = await customer()
      return { uid, fields: { nickname: `A${uid}`, introduction: 'I trade bitcoin' } }
    },
    'otc.order': otcOrder,
    'otc.cancel': async () => {
      const { uid, fields } = await otcOrder()
      const { id } = await stage.call('otc.order', uid, fields)
      return { uid, fields: { id: String(id) } }
    },
    'dual.buyDual': async () => {
      product ??= dual.product({ total: 1_000_000, symbol: 'ETHUSDT', base_id: wallet.idOf('ETH'), linked: '3000', ...dual.lasting() })
      const uid = await wallet.user()
      await wallet.credit(uid, 'ETH', '1')
      return { uid, fields: { id: String(await product), num: '5', currency_id: String(wallet.idOf('ETH')) } }
    },
    'ieo.order': async () => ({ uid: await customer(), fields: await application() }),
    'ieo.cancel': async () => {
      const [uid, fields] = [await customer(), await application()]
      await stage.call('ieo.order', uid, fields)
      return { uid, fields: { project_id: fields.project_id } }
    },
    'mining.deposit': async () => {
      const mid = await (mined ??= stage.mining.product({ capacity: '100000000' }))
      return { uid: await customer(), fields: { mid: String(mid), amount: '100' } }
    },
    'mining.close': async () => {
      const mid = await (mined ??= stage.mining.product({ capacity: '100000000' }))
      const uid = await customer()
      const { id } = await stage.call('mining.deposit', uid, { mid: String(mid), amount: '100' })
      return { uid, fields: { id: String(id) } }
    },
    'user.real': async () => {
      const uid = await wallet.user({ level: 0 })
      await wallet.change(uid, { mobile: `+44 7700 ${uid}` })
      return { uid, fields: inputs['user.real'] }
    },
    'user.doAuth': async () => {
      const uid = await wallet.user({ level: 1 })
      await wallet.change(uid, { mobile: `+44 7700 ${uid}` })
      const pictures = { front_pic: `/api/upload/${uid}-front`, reverse_pic: `/api/upload/${uid}-back` }
      return { uid, fields: { ...inputs['user.doAuth'], ...pictures } }
    },
    'user.cashSave': withFields({ ...inputs['user.cashSave'], bank_name: 'Harbour Bank' }),
    'user.cashSaveInternational': withFields(inputs['user.cashSaveInternational']),
  }
}
