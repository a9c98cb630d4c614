import { randomUUID } from 'node:crypto'
import type { ProductsStage } from '#tests/support/databases/products-stage.ts'
import { type Beginning, customerCount, decisionOf, drawSteps, type Operation } from '#tests/support/databases/simulation-plan.ts'
import { chance } from '#tests/support/house/sizes.ts'
import { usualPrices } from '#tests/support/people/product-works.ts'
import { inputs } from '#tests/support/right-inputs.ts'
import { say } from '#tests/support/say.ts'

/** Customers who trade on one market whose price changes all the time, what they have at the beginning, and those who copy the first of them. */
export interface Load extends Beginning {
  customers: readonly number[]
  followers: readonly number[]
  /** A follower whose money suffices for a few small copies. */
  poor: number
}
export const loadKey = 'load-'
/** The market of the load; the table leaves it alone. */
const symbol = 'ETHUSDT'
/** The id of something that was never opened, as far as the customer knows. */
const nothing = '999999999'
const movers = 4
/** Copies must come in time, whatever else goes on; so the clock makes small steps. */
const stepMsMost = 2_000
/** The prices of the other markets are renewed so often, ms of the clock: a fifth of the age at which a price is refused. */
const usualEveryMs = 2_000

/** Makes the customers of the load and what they trade with. */
export async function beginLoad({ wallet, follow, otc, lever, call }: ProductsStage): Promise<Load> {
  lever.tick('50000', symbol)
  const rich = async (amount: string) => {
    const uid = await wallet.user()
    for (const kind of ['change', 'lever', 'micro'] as const) await wallet.credit(uid, 'USDT', amount, kind)
    await wallet.credit(uid, 'BTC', '10')
    return uid
  }
  const customers: number[] = [await rich('10000000')]
  while (customers.length < customerCount) customers.push(await rich('20000'))
  const trader = customers[0]!
  await follow.accept(trader)
  const poor = await wallet.user()
  // Margin and fee of two small copies.
  await wallet.credit(poor, 'USDT', '600', 'lever')
  const followers = [await rich('10000000'), await rich('10000000'), await rich('10000000')]
  const ways: Record<string, string>[] = [{ number: '0.5' }, { type: 'lots', number: '0.37' }, { number: '2' }, { number: '1' }]
  for (const [at, uid] of [...followers, poor].entries())
    await call('follow.follow', uid, { ...inputs['follow.follow'], trader_user_id: String(trader), ...ways[at] })
  const addresses: string[] = []
  for (const uid of customers) addresses.push(await wallet.address(uid))
  const pictures = customers.map((uid) => `/api/upload/${uid}-proof`)
  const offer = await otc.offer({ price: '50000', amount_min: '0.001', whole: '1000' })
  return { trader, addresses, pictures, offer, customers, followers, poor }
}

/**
 * Customers trade, prices act, and operators decide, until the process is killed: what is asked is drawn from the seed.
 * @param set asks: `<key> <customer> <call> <fields>`
 */
export async function runLoad(stage: ProductsStage, load: Load, seed: number, set: (asked: string) => Promise<unknown>): Promise<never> {
  const { wallet, lever, mic, follow, otc } = stage
  const { db } = wallet.database
  const draw = chance(seed)
  const asked = (uid: number, name: string, fields: object) => set(`${loadKey}${randomUUID()} ${uid} ${name} ${JSON.stringify(fields)}`)

  /** Positions have both levels near the price, and limit orders one that the price may pass. */
  function levelsOf({ side, type }: Record<string, string>, price: number) {
    const up = side === 'short' ? -1 : 1
    const near = () => 10 + draw.below(60)
    const stop = { stop_loss_price: `${price - up * (type ? 30 + near() : near())}` }
    return { ...stop, target_profit_price: `${price + up * near()}` }
  }
  async function one({ n, name, customer, fields: own, of }: Operation, price: number, ids: Map<number, string>): Promise<void> {
    const uid = load.customers[customer]!
    const fields: Record<string, string> = {
      ...own,
      ...(own.match_id && { match_id: symbol }),
      ...(of !== undefined && { id: ids.get(of) ?? nothing }),
    }
    if (name === 'lever.orderOpen') Object.assign(fields, levelsOf(fields, price))
    if (name === 'wallet.exchange') {
      const pair = { from_currency_id: fields.from_currency_id!, to_currency_id: fields.to_currency_id! }
      Object.assign(fields, await stage.call('wallet.getExchangeRate', uid, pair).then(({ quote_id }) => ({ quote_id })))
    }
    const answer = (await asked(uid, name, fields)) as { id?: number; opened?: { id: number } } | undefined
    const id = answer?.opened?.id ?? answer?.id
    if (id !== undefined) ids.set(n, String(id))
  }
  /** One who copies closes a copy, or keeps it. */
  async function followerActs(): Promise<void> {
    const uid = draw.of(load.followers)
    const { list } = await stage.call('follow.copies', uid)
    const copy = list.length && draw.next() < 0.2 ? draw.of(list) : undefined
    if (copy && draw.next() < 0.5) await asked(uid, 'lever.close', { id: String(copy.id) })
    else if (copy) await asked(uid, 'follow.selfHolding', { transaction_id: String(copy.id) })
  }
  /** Operators decide about some requests of these customers. */
  async function review(): Promise<void> {
    for (const type of ['recharge', 'withdraw'] as const) {
      const rows = (await wallet.waiting(type, 50)).filter(({ uid }) => load.customers.includes(uid)).slice(0, 5)
      for (const row of rows) await wallet.decide(type, row.id, decisionOf(row))
    }
    const waiting = db.selectFrom('otc_order').select('id').where('status', '=', 'reviewing').where('uid', 'in', load.customers)
    for (const { id } of await waiting.orderBy('id').limit(2).execute())
      say(`was ${id} ${(await (id % 2 ? otc.approve(id) : otc.reject(id))).status}`)
  }

  // Between the steps too, so that some of what prices do is under way at any time.
  let middle = 50_000
  async function market(): Promise<never> {
    for (let usualAt = 0; ; ) {
      // So that no price of the table is old: a visit of a price lets seconds pass, and several come at a time.
      if (lever.now() - usualAt >= usualEveryMs) {
        usualPrices(stage)
        usualAt = lever.now()
      }
      lever.tick(String(middle + draw.below(61) - 30), symbol, 20)
      await new Promise((wake) => setTimeout(wake, 5))
      if (lever.lever.counts().pending) say(`fires ${lever.now()}`)
    }
  }
  /** Money that goes to and fro without a pause, so that calls are under way at any time; some is more than there is. */
  async function mover(): Promise<never> {
    for (;;) {
      const [from, to] = draw.of([
        ['change', 'micro'],
        ['micro', 'change'],
      ] as const)
      const amount = draw.next() < 0.1 ? '90000000' : `${1 + draw.below(50)}`
      await asked(draw.of(load.customers), 'wallet.transfer', { currency_id: '3', amount, from, to })
    }
  }
  async function steps(): Promise<never> {
    for (let part = seed; ; part++) {
      const ids = new Map<number, string>()
      for (const { laterMs, price, operations } of drawSteps(part, 1_000, 6, load)) {
        middle = price
        lever.tick(String(price), symbol, Math.min(laterMs, stepMsMost))
        usualPrices(stage)
        say(`now ${lever.now()}`)
        // Copies are those of the followers, and a level that is moved later is no part of what the log of prices can be asked for.
        const mine = operations.filter(({ name }) => !['follow.follow', 'follow.cancel', 'lever.setStopPrice'].includes(name))
        await Promise.all([...mine.map((operation) => one(operation, price, ids)), followerActs()])
        const [settled] = await Promise.all([mic.settle(), follow.follows[0]!.pass(), review()])
        say(`work ${settled}`)
      }
    }
  }
  return (await Promise.all([market(), steps(), ...Array.from({ length: movers }, mover)]))[0]
}
