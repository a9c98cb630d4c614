import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { FundingStatus, FundingType } from '#api-server/wallet/deposit/funding.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { isUnavailable } from '#server-kit/http/unavailable.ts'
import type { ProductsStage } from '#tests/support/databases/products-stage.ts'
import { proofsOf, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

/** Money operations of customers and operators, for tests with many concurrent ones. */

/** Number of retries while the outcome is unknown; each takes up to five seconds. */
const triesMax = 12

export const kinds = ['legal', 'change', 'lever', 'micro'] as const
export const codes = ['USDT', 'BTC', 'ETH'] as const
const amounts = ['0.00000001', '0.1', '1', '12.34567891', '50', '250', '5000']
const wallet = ['transfer', 'Transfer', 'exchange', 'withdraw', 'recharge', 'cancel'] as const
/** Calls of trading that need no earlier order. */
const opening = ['lever.orderOpen', 'lever.closeAll', 'mic.orderOpen', 'c2c.trade', 'c2c.cancelAll', 'otc.order'] as const
/** Calls of trading that name a row: its table, and the states in which the call is accepted. */
const standing = {
  'lever.close': ['lever_position', ['open']],
  'lever.reverse': ['lever_position', ['open']],
  'lever.margin': ['lever_position', ['open']],
  'lever.orderMove': ['lever_position', ['entrust']],
  'lever.cancel': ['lever_position', ['entrust']],
  'c2c.move': ['spot_order', ['open', 'partial']],
  'c2c.cancel': ['spot_order', ['open', 'partial']],
  'otc.cancel': ['otc_order', ['reviewing']],
} as const
type Standing = keyof typeof standing
const isStanding = (doing: string): doing is Standing => doing in standing
const isOpening = (doing: string): doing is (typeof opening)[number] => (opening as readonly string[]).includes(doing)
const asked = [...wallet, ...opening, ...(Object.keys(standing) as Standing[])] as const
const decided = {
  approve: { action: 'approve', fourEyesUsd: '10000' },
  reject: { action: 'reject', reason: 'x' },
  sent: { action: 'sent', reference: 'x' },
  done: { action: 'done' },
} as const
type Decided = keyof typeof decided
export const doings = [...asked, ...(Object.keys(decided) as Decided[])]
const isDecided = (doing: string): doing is Decided => doing in decided

/** These are more frequent than other operations. */
const often = ['transfer', 'Transfer', 'transfer', 'Transfer', 'transfer', 'lever.orderOpen', 'c2c.trade', 'c2c.trade'] as const

/** Operations that cannot move anything are left out. */
export const operation = fc
  .record({
    doing: fc.constantFrom(...doings, ...often),
    who: fc.nat(7),
    from: fc.constantFrom(...kinds),
    to: fc.constantFrom(...kinds),
    code: fc.constantFrom(...codes),
    other: fc.constantFrom(...codes),
    amount: fc.constantFrom(...amounts),
    /** How often the call is sent with its key, concurrently and each time to another process. */
    times: fc.constantFrom<number[]>(1, 1, 1, 1, 1, 2, 3),
    which: fc.nat(30),
  })
  .filter(({ from, to, code, other, doing }) => (doing === 'exchange' ? code !== other : from !== to))
export type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never

/** Asks again with the key, as the app does, while the server is busy or the first call is still running after five seconds. */
export async function untilKnown<A>(call: () => Promise<A>): Promise<A> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      const isUnknown = isUnavailable(error) || (error instanceof ApiProblem && error.code === 'outcome_unknown')
      if (!isUnknown || tries === triesMax) throw error
    }
  }
}

/** An order of the book is answered as it stands, and others may have traded with it between two answers. */
const standsStill = (doing: Operation['doing']) => !doing.startsWith('c2c.')

export interface Person {
  uid: number
  address_id: string
}

export function moneyCallsOf(stage: WalletStage, products: ProductsStage, offer_id: string) {
  /** A person with some of each currency, also in the accounts for contracts and options, and an address that can be used at once. */
  async function person(credits: Record<(typeof codes)[number], string>): Promise<Person> {
    const uid = await stage.user()
    for (const code of codes) await stage.credit(uid, code, credits[code])
    for (const kind of ['lever', 'micro'] as const) await stage.credit(uid, 'USDT', credits.USDT, kind)
    return { uid, address_id: await stage.address(uid) }
  }

  /** Numbers of the newest records, at most 31. */
  async function newest(type: FundingType, of: { uid?: number | false; status?: FundingStatus | false }): Promise<number[]> {
    let found = stage.database.db.selectFrom('funding').select('id').where('type', '=', type)
    if (of.uid) found = found.where('uid', '=', of.uid)
    if (of.status) found = found.where('status', '=', of.status)
    return (await found.orderBy('id', 'desc').limit(31).execute()).map((row) => row.id)
  }

  /** Fields of a call of trading; orders of several customers meet at the prices of the book. */
  function traded(doing: (typeof opening)[number], { amount, which }: Operation): Record<string, string> {
    const currencies = { currency_id: String(stage.idOf('BTC')), legal_id: String(stage.idOf('USDT')) }
    const isBuy = which % 2 === 0
    const fields: Record<(typeof opening)[number], Record<string, string>> = {
      'lever.orderOpen': {
        match_id: 'BTCUSDT',
        side: isBuy ? 'long' : 'short',
        lots: String(1 + (which % 7)),
        multiple: '20',
        ...(which % 3 === 0 && { type: 'limit', price: isBuy ? '49000' : '51000' }),
      },
      'lever.closeAll': { type: String(which % 3) },
      'mic.orderOpen': {
        match_id: 'BTCUSDT',
        currency_id: currencies.legal_id,
        type: isBuy ? 'up' : 'down',
        seconds: '60',
        number: amount,
      },
      'c2c.trade': {
        ...currencies,
        type: isBuy ? 'buy' : 'sell',
        tradeType: 'limit',
        amount: `0.00${1 + (which % 9)}`,
        target_price: String(49_990 + 5 * (which % 5)),
      },
      'c2c.cancelAll': {},
      'otc.order': { offer_id, amount: `0.00${1 + (which % 9)}` },
    }
    return fields[doing]
  }

  /** The number of a row of the customer in whose state a call can be made, of one where it cannot, or of another customer. */
  async function rowOf(doing: Standing, uid: number, which: number): Promise<number | undefined> {
    const [table, states] = standing[doing]
    const column = table === 'lever_position' ? 'state' : 'status'
    const fits = which % 4 !== 0
    const found = await sql<{ id: number }>`select id from ${sql.table(table)}
      where (${fits} and uid = ${uid} and ${sql.ref(column)} = any(${[...states]})) or not ${fits} order by id desc limit 31`.execute(
      stage.database.db,
    )
    return found.rows[which % Math.max(1, found.rows.length)]?.id
  }

  /**
   * Prepares a call.
   * @returns a function that makes the call with a key at a process; undefined when there is nothing to do
   */
  async function ready(op: Operation, { uid, address_id }: Person): Promise<((key: string, node: number) => Promise<unknown>) | undefined> {
    const { amount, from, to, code, other, doing, which } = op
    const currency_id = String(stage.idOf(code))
    const usdt = String(stage.idOf('USDT'))
    if (doing === 'transfer') return (key, node) => stage.callAt(node, 'wallet.transfer', uid, { amount, currency_id, from, to }, key)
    if (doing === 'Transfer') return (key, node) => stage.callAt(node, 'user.Transfer', uid, { number: amount, currency_id, from, to }, key)
    if (doing === 'exchange') {
      const pair = { from_currency_id: currency_id, to_currency_id: String(stage.idOf(other)) }
      const { quote_id } = await stage.call('wallet.getExchangeRate', uid, pair)
      return (key, node) => stage.callAt(node, 'wallet.exchange', uid, { amount, quote_id, ...pair }, key)
    }
    if (doing === 'withdraw') {
      const fields = { currency_id: usdt, amount, address_id, ...proofsOf }
      return (key, node) => stage.callAt(node, 'wallet.withdraw', uid, fields, key)
    }
    if (doing === 'recharge') {
      const fields = { currency_id: usdt, amount, chain: 'ERC20', imgs: `/api/upload/${uid}-${randomUUID()}` }
      return (key, node) => stage.callAt(node, 'wallet.recharge', uid, fields, key)
    }
    if (isOpening(doing)) return (key, node) => products.callAt(node, doing, uid, traded(doing, op), key)
    if (isStanding(doing)) {
      const row = await rowOf(doing, uid, which)
      const fields: Partial<Record<Standing, Record<string, string>>> = {
        'lever.close': which % 3 === 0 ? { lots: '1' } : {},
        'lever.margin': { action: which % 3 === 0 ? 'remove' : 'add', amount },
        'lever.orderMove': { price: String(49_000 + 5 * (which % 5)) },
        'c2c.move': { price: String(49_990 + 5 * (which % 5)) },
      }
      return row === undefined ? undefined : (key, node) => products.callAt(node, doing, uid, { id: String(row), ...fields[doing] }, key)
    }
    // Half of them are valid: the others come too late, too early or from the wrong customer.
    const fits = which % 2 === 0
    const type = doing === 'approve' || doing === 'reject' ? (which % 4 < 2 ? 'withdraw' : 'recharge') : 'withdraw'
    const status = doing === 'sent' ? 'approved' : doing === 'done' ? 'sent' : 'reviewing'
    const ids = await newest(type, { uid: fits && doing === 'cancel' && uid, status: fits && status })
    const id = ids[which % Math.max(1, ids.length)]
    if (id === undefined) return undefined
    if (!isDecided(doing)) return (key, node) => stage.callAt(node, 'wallet.cancelWithdraw', uid, { id: String(id) }, key)
    const operator = { id: 1 + (which % 2), name: `operator ${which % 2}` }
    return () => stage.decide(type, id, decided[doing], operator)
  }

  /**
   * Makes a call several times concurrently with one key, each time at another process. Operators have no keys and call once.
   * @returns the distinct answers; undefined when there is nothing to do
   */
  async function atOnce(op: Operation, who: Person): Promise<string[] | undefined> {
    const call = await ready(op, who)
    if (!call) return undefined
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: isDecided(op.doing) ? 1 : op.times }, async (_, node) => untilKnown(() => call(key, node))),
    )
    return [...new Set(answers.map((answer) => JSON.stringify(standsStill(op.doing) ? answer : (answer as { id?: number }).id)))]
  }

  return { person, atOnce }
}
