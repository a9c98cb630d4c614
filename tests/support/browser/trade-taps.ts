import type { Page } from 'playwright'
import type { CallName } from '#contract/contract.ts'
import type { Aids } from '#tests/support/browser/aids.ts'
import { node } from '#tests/support/browser/journey.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { makeOffer, makeTrader } from '#tests/support/people/trading.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import type { App } from '#tests/support/servers/app.ts'

/** A control of trading that asks before it acts, and must act once. */
interface TradeTap {
  name: string
  /** The call that it sends. */
  call: CallName
  /** Makes what it needs. @returns the page where it stands */
  prepare(who: Person): Promise<string>
  fill?(page: Page): Promise<unknown>
  /** Selector of the control. */
  press: string
  /** How often it has acted, from the server. */
  effects(who: Person): Promise<number>
}

const symbol = 'BTCUSDT'
const [contracts, spot] = [`pages/transaction/contract?symbol=${symbol}`, `pages/transaction/currency?symbol=${symbol}`]

/** The controls, on a product whose price of BTC is 50,000. */
export function tradeTaps(app: App, { api, aid }: Aids): TradeTap[] {
  const credit = ({ uid }: Person, account: string, currency = 'USDT') =>
    aid('credit', { user: String(uid), account, currency, amount: '10000' })
  const rows = async (who: Person, call: CallName, fields: Record<string, string> = {}, having: object = {}) => {
    const { list } = await api<{ list: Record<string, unknown>[] }>(who, call, fields)
    return list.filter((row) => Object.entries(having).every(([name, value]) => row[name] === value)).length
  }
  async function open(who: Person, more: Record<string, string> = {}): Promise<number> {
    await credit(who, 'lever')
    return (await api<{ id: number }>(who, 'lever.orderOpen', { match_id: symbol, side: 'long', lots: '10', multiple: '20', ...more })).id
  }
  const closings = (who: Person) => rows(who, 'lever.orderList', { status: 'history' })
  async function orderSpot(who: Person): Promise<unknown> {
    await credit(who, 'change')
    const { currency_id, legal_id } = await api<{ currency_id: number; legal_id: number }>(who, 'c2c.detail', { symbol })
    return api(who, 'c2c.trade', {
      currency_id: String(currency_id),
      legal_id: String(legal_id),
      type: 'buy',
      tradeType: 'limit',
      target_price: '49000',
      amount: '0.01',
    })
  }
  const spotTap = (side: 'Buy' | 'Sell', coin: string, price: string): TradeTap => ({
    name: `an order in the book, ${side}`,
    call: 'c2c.trade',
    press: '[data-node="form"] button[type=submit]',
    async prepare(who) {
      await credit(who, 'change', coin)
      return spot
    },
    async fill(page) {
      await node(page, 'form').getByText(side, { exact: true }).click()
      await page.locator('[name=price]').fill(price)
      await page.locator('[name=quantity]').fill('0.01')
    },
    effects: (who) => rows(who, 'c2c.orderList', { status: 'doing' }),
  })
  async function trader(): Promise<string> {
    const tess = await person(app.origin, { nickname: 'Tess' })
    await makeTrader(app.origin, { api }, tess, `Tess ${tess.uid % 10_000}`)
    return String(tess.uid)
  }

  return [
    {
      name: 'a position opened',
      call: 'lever.orderOpen',
      press: '[data-node="side"] [data-key="long"]',
      async prepare(who) {
        await credit(who, 'lever')
        return contracts
      },
      fill: (page) => page.locator('[name=lots]').fill('10'),
      effects: (who) => rows(who, 'lever.orderList', { status: 'position' }),
    },
    {
      name: 'a position closed',
      call: 'lever.close',
      press: '[data-node="close"] button[type=submit]',
      prepare: async (who) => `pages/transaction/position?id=${await open(who)}`,
      effects: closings,
    },
    {
      name: 'all positions closed',
      call: 'lever.closeAll',
      press: '[data-node="close-all"] [data-key="0"]',
      async prepare(who) {
        await open(who)
        return contracts
      },
      effects: closings,
    },
    {
      name: 'a position reversed',
      call: 'lever.reverse',
      press: '[data-node="reverse-press"]',
      prepare: async (who) => `pages/transaction/position?id=${await open(who)}&tab=reverse`,
      effects: closings,
    },
    {
      name: 'a waiting order cancelled',
      call: 'lever.cancel',
      press: '[data-node="order"] [data-part="cancel"]',
      async prepare(who) {
        await open(who, { type: 'limit', price: '49000' })
        return contracts
      },
      async fill(page) {
        await page.getByText('Orders (1)', { exact: true }).click()
        await node(page, 'order').locator('[data-part="more"]').click()
      },
      effects: (who) => rows(who, 'lever.orderList', { status: 'cancelled' }),
    },
    {
      name: 'an option bought',
      call: 'mic.orderOpen',
      press: '[data-node="type"] [data-key="up"]',
      async prepare(who) {
        await credit(who, 'micro')
        return `pages/transaction/seconds_order?symbol=${symbol}`
      },
      async fill(page) {
        await node(page, 'ticket').getByText('5 min', { exact: true }).click()
        await page.locator('[name=number]').fill('100')
      },
      effects: (who) => rows(who, 'mic.orderList', { status: 'position' }),
    },
    spotTap('Buy', 'USDT', '49000'),
    spotTap('Sell', 'BTC', '51000'),
    {
      name: 'an order in the book moved',
      call: 'c2c.move',
      press: '[data-node="move"] button[type=submit]',
      async prepare(who) {
        await orderSpot(who)
        return spot
      },
      async fill(page) {
        await node(page, 'order-move').click()
        await page.locator('[name=limit]').fill('48000')
      },
      effects: (who) => rows(who, 'c2c.orderList', {}, { price: '48000' }),
    },
    {
      name: 'an order in the book cancelled',
      call: 'c2c.cancel',
      press: '[data-node="order-cancel"]',
      async prepare(who) {
        await orderSpot(who)
        return spot
      },
      effects: (who) => rows(who, 'c2c.orderList', { status: 'complete' }),
    },
    {
      name: 'an OTC order',
      call: 'otc.order',
      press: '[data-node="form"] button[type=submit]',
      async prepare(who) {
        await credit(who, 'change')
        await makeOffer(app.origin, {})
        return 'pages/transaction/otc'
      },
      async fill(page) {
        await node(page, 'offer').first().click()
        await page.locator('[name=amount]').fill('0.01')
      },
      effects: (who) => rows(who, 'otc.orders'),
    },
    {
      name: 'an OTC order cancelled',
      call: 'otc.cancel',
      press: '[data-node="order-cancel"]',
      async prepare(who) {
        await credit(who, 'change')
        await api(who, 'otc.order', { offer_id: await makeOffer(app.origin, {}), amount: '0.01' })
        return 'pages/transaction/otc_order'
      },
      fill: (page) => node(page, 'order').click(),
      effects: (who) => rows(who, 'otc.orders', {}, { status: 'cancelled' }),
    },
    {
      name: 'a trader followed',
      call: 'follow.follow',
      press: '[data-node="begin"] button[type=submit]',
      prepare: async () => `pages/follow/follow?id=${await trader()}`,
      async fill(page) {
        for (const language of ['en', 'zh']) await node(page, `begin-agree_${language}`).locator('input').check()
      },
      effects: (who) => rows(who, 'follow.mine'),
    },
    {
      name: 'a trader followed no longer',
      call: 'follow.cancel',
      press: '[data-node="cancel"]',
      async prepare(who) {
        await api(who, 'follow.follow', { ...inputs['follow.follow'], trader_user_id: await trader() })
        return 'pages/copytrade/my'
      },
      effects: (who) => rows(who, 'follow.mine', {}, { state: 'cancelled' }),
    },
  ]
}
