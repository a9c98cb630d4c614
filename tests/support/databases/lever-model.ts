import BigJs, { type Big } from 'big.js'

/**
 * Contracts of one symbol as one would work them out by hand: each tick looks at each order and position, and every amount is computed from the
 * rules as they are written. Shares no code with the product.
 */

const Exact = BigJs()
Exact.DP = 60
const { roundDown: toZero, roundUp: fromZero, roundHalfUp: toNearest } = BigJs
const n = (value: string | number | Big) => new Exact(value)
const [zero, dayMs] = [n(0), 86_400_000]

interface ModelTerms {
  lot_size: string
  fee_rate: string
  maintenance_rate: string
  overnight_rate: string
  spread: string
  /** Step of the price, and decimals of it and of the coin. */
  tick: string
  priceScale: number
  coinScale: number
}
type ModelSide = 'long' | 'short'
export interface ModelOrder {
  side: ModelSide
  multiple: number
  lots: string
  /** Absent: at the market. */
  limit?: string | undefined
  tp?: string | undefined
  sl?: string | undefined
}
interface Row {
  uid: number
  side: ModelSide
  multiple: number
  limit: Big | undefined
  tp: Big | undefined
  sl: Big | undefined
  state: 'entrust' | 'open' | 'closed' | 'cancelled'
  reason: string
  lots: Big
  open: Big
  margin: Big
  held: Big
  liquidation: Big | undefined
  nextNight: number
  profit: Big
  fee: Big
  overnight: Big
  result: Big
}

export function createLeverModel(terms: ModelTerms) {
  const rows = new Map<number, Row>()
  const free = new Map<number, Big>()
  const house = { fee: zero, pnl_contract: zero, insurance: zero }
  let mark = zero

  const of = (side: ModelSide, long: Big, short: Big) => (side === 'long' ? long : short)
  const size = (lots: Big) => lots.times(terms.lot_size)
  const up = (amount: Big) => amount.round(terms.coinScale, fromZero)
  /** Buys above, sells below. */
  function at(buys: boolean): Big {
    const half = mark.times(terms.spread).div(2)
    const steps = (buys ? mark.plus(half) : mark.minus(half)).div(terms.tick)
    return steps.round(0, buys ? fromZero : toZero).times(terms.tick)
  }
  const openingAt = (side: ModelSide) => at(side === 'long')
  const closingAt = (side: ModelSide) => at(side === 'short')
  const feeOf = (lots: Big, price: Big, rate: string) => up(size(lots).times(price).times(rate))
  const marginOf = (lots: Big, price: Big, multiple: number) => up(size(lots).times(price).div(multiple))
  /** A gain is rounded down, a loss up. */
  function profitOf(side: ModelSide, lots: Big, from: Big, to: Big): Big {
    const moved = of(side, to.minus(from), from.minus(to)).times(size(lots))
    return moved.round(terms.coinScale, moved.lt(0) ? fromZero : toZero)
  }
  function liquidationOf(side: ModelSide, lots: Big, open: Big, margin: Big): Big | undefined {
    const worth = size(lots).times(open)
    const price = of(side, worth.minus(margin), worth.plus(margin)).div(
      size(lots).times(n(1).plus(of(side, n(0).minus(terms.maintenance_rate), n(terms.maintenance_rate)))),
    )
    const shown = price.round(terms.priceScale, toNearest)
    return shown.gt(0) ? shown : undefined
  }
  /** As bad for the holder as a level, or worse. */
  const hasFallenTo = (side: ModelSide, level: Big | undefined) =>
    level !== undefined && (side === 'long' ? mark.lte(level) : mark.gte(level))
  const hasRisenTo = (side: ModelSide, level: Big | undefined) =>
    level !== undefined && (side === 'long' ? mark.gte(level) : mark.lte(level))
  const areStopsRight = (side: ModelSide, price: Big, tp: Big | undefined, sl: Big | undefined) =>
    (!tp || (side === 'long' ? tp.gt(price) : tp.lt(price))) && (!sl || (side === 'long' ? sl.lt(price) : sl.gt(price)))
  const give = (uid: number, amount: Big) => void free.set(uid, free.get(uid)!.plus(amount))
  function becomeOpen(row: Row, price: Big, margin: Big, fee: Big, now: number): void {
    Object.assign(row, {
      state: 'open',
      open: price,
      margin,
      held: zero,
      fee,
      result: zero.minus(fee),
      liquidation: liquidationOf(row.side, row.lots, price, margin),
    })
    row.nextNight = (Math.floor(now / dayMs) + 1) * dayMs
    house.fee = house.fee.plus(fee)
  }
  function end(row: Row, state: 'closed' | 'cancelled', reason: string): void {
    give(row.uid, row.held)
    Object.assign(row, { state, reason, held: zero, margin: zero, liquidation: undefined })
  }
  function pay(row: Row, lots: Big, reason: string): void {
    const isAll = lots.eq(row.lots)
    const margin = isAll ? row.margin : row.margin.times(lots).div(row.lots).round(terms.coinScale, toZero)
    const price = closingAt(row.side)
    const profit = profitOf(row.side, lots, row.open, price)
    const equity = margin.plus(profit)
    const asked = feeOf(lots, price, terms.fee_rate)
    const fee = equity.lte(0) ? zero : asked.gt(equity) ? equity : asked
    const left = equity.minus(fee)
    const keeps = reason !== 'liquidated' && left.gte(0)
    const back = keeps ? left : zero
    give(row.uid, back)
    house.insurance = house.insurance.plus(keeps ? zero : left)
    house.fee = house.fee.plus(fee)
    house.pnl_contract = house.pnl_contract.minus(profit)
    Object.assign(row, { profit: row.profit.plus(profit), fee: row.fee.plus(fee), result: row.result.plus(back).minus(margin) })
    if (isAll) {
      end(row, 'closed', reason)
      return
    }
    Object.assign(row, { lots: row.lots.minus(lots), margin: row.margin.minus(margin) })
    row.liquidation = liquidationOf(row.side, row.lots, row.open, row.margin)
  }
  function fill(row: Row, now: number): void {
    // Beyond its own stop the position would be closed at once.
    if (hasRisenTo(row.side, row.tp) || hasFallenTo(row.side, row.sl)) return void end(row, 'cancelled', 'price')
    const market = openingAt(row.side)
    const price = row.side === 'long' ? (market.gt(row.limit!) ? row.limit! : market) : market.lt(row.limit!) ? row.limit! : market
    const fee = feeOf(row.lots, price, terms.fee_rate)
    const wanted = marginOf(row.lots, price, row.multiple)
    // A fill uses at most the amount that the order has frozen.
    const margin = wanted.plus(fee).gt(row.held) ? row.held.minus(fee) : wanted
    if (margin.lte(0) || hasFallenTo(row.side, liquidationOf(row.side, row.lots, price, margin))) end(row, 'cancelled', 'balance')
    else {
      give(row.uid, row.held.minus(margin).minus(fee))
      becomeOpen(row, price, margin, fee, now)
    }
  }
  function judge(row: Row, now: number): void {
    const [isStopped, isLiquidated] = [hasFallenTo(row.side, row.sl), hasFallenTo(row.side, row.liquidation)]
    const isStopNearer = (sl: Big, liquidation: Big) => (row.side === 'long' ? sl.gte(liquidation) : sl.lte(liquidation))
    if (row.state === 'entrust' && hasFallenTo(row.side, row.limit)) fill(row, now)
    else if (row.state !== 'open') return
    else if (hasRisenTo(row.side, row.tp)) pay(row, row.lots, 'take_profit')
    else if (isStopped && (!isLiquidated || isStopNearer(row.sl!, row.liquidation!))) pay(row, row.lots, 'stop_loss')
    else if (isLiquidated) pay(row, row.lots, 'liquidated')
  }
  /** At the last price before it: this comes before the next tick. */
  function payNights(row: Row, now: number): void {
    while (row.state === 'open' && row.nextNight <= now) {
      const asked = feeOf(row.lots, mark, terms.overnight_rate)
      const fee = asked.gt(row.margin) ? row.margin : asked
      Object.assign(row, { margin: row.margin.minus(fee), overnight: row.overnight.plus(fee), result: row.result.minus(fee) })
      row.liquidation = liquidationOf(row.side, row.lots, row.open, row.margin)
      row.nextNight += dayMs
      house.fee = house.fee.plus(fee)
    }
  }
  const own = (uid: number, id: number, state: Row['state']) => {
    const row = rows.get(id)
    return row?.uid === uid && row.state === state ? row : undefined
  }
  const better = (side: ModelSide, a: Big, b: Big) => ((side === 'long' ? a.lt(b) : a.gt(b)) ? a : b)
  /** @returns the row, or undefined for an order that is refused; it has no number yet */
  function ordered(uid: number, order: ModelOrder, now: number): Row | undefined {
    const [lots, { side, multiple }] = [n(order.lots), order]
    const level = (text: string | undefined) => (text === undefined ? undefined : n(text))
    const [limit, tp, sl] = [level(order.limit), level(order.tp), level(order.sl)]
    const row: Row = {
      uid,
      side,
      multiple,
      limit,
      tp,
      sl,
      state: 'entrust',
      reason: '',
      lots,
      open: zero,
      margin: zero,
      held: zero,
      liquidation: undefined,
      nextNight: 0,
      profit: zero,
      fee: zero,
      overnight: zero,
      result: zero,
    }
    const isNow = !limit || hasFallenTo(side, limit)
    if (!areStopsRight(side, isNow ? mark : limit, tp, sl)) return undefined
    const market = openingAt(side)
    const price = !isNow ? limit : limit ? better(side, limit, market) : market
    const [margin, fee] = [marginOf(lots, price, multiple), feeOf(lots, price, terms.fee_rate)]
    const cost = margin.plus(fee)
    if (cost.gt(free.get(uid)!)) return undefined
    if (isNow && hasFallenTo(side, liquidationOf(side, lots, price, margin))) return undefined
    give(uid, zero.minus(cost))
    if (isNow) becomeOpen(row, price, margin, fee, now)
    else row.held = cost
    return row
  }

  return {
    customer: (uid: number, amount: string) => void free.set(uid, n(amount)),
    tick(price: string, now: number): void {
      for (const row of rows.values()) payNights(row, now)
      mark = n(price)
      for (const row of rows.values()) judge(row, now)
    },
    /** Requests of customers: each returns whether it is allowed. @param number of the order, once it is known to be allowed */
    order(uid: number, order: ModelOrder, now: number): ((id: number) => void) | undefined {
      const row = ordered(uid, order, now)
      return row && ((id) => void rows.set(id, row))
    },
    cancel(uid: number, id: number): boolean {
      const row = own(uid, id, 'entrust')
      if (row) end(row, 'cancelled', 'user')
      return row !== undefined
    },
    /** As if the order were cancelled and placed anew under its number. */
    move(uid: number, id: number, limit: string, now: number): boolean {
      const row = own(uid, id, 'entrust')
      const to = n(limit)
      if (!row) return false
      if (to.eq(row.limit!)) return true
      const isNow = hasFallenTo(row.side, to)
      if (!areStopsRight(row.side, isNow ? mark : to, row.tp, row.sl)) return false
      const price = isNow ? better(row.side, to, openingAt(row.side)) : to
      const [margin, fee] = [marginOf(row.lots, price, row.multiple), feeOf(row.lots, price, terms.fee_rate)]
      const more = margin.plus(fee).minus(row.held)
      if (more.gt(free.get(uid)!)) return false
      if (isNow && hasFallenTo(row.side, liquidationOf(row.side, row.lots, price, margin))) return false
      give(uid, zero.minus(more))
      Object.assign(row, { limit: to, held: margin.plus(fee) })
      if (isNow) becomeOpen(row, price, margin, fee, now)
      return true
    },
    close(uid: number, id: number, lots?: string): boolean {
      const row = own(uid, id, 'open')
      if (!row || (lots !== undefined && n(lots).gt(row.lots))) return false
      pay(row, lots === undefined ? row.lots : n(lots), 'user')
      return true
    },
    stops(uid: number, id: number, set: { tp: string; sl: string }): boolean {
      const row = own(uid, id, 'open') ?? own(uid, id, 'entrust')
      if (!row) return false
      const [tp, sl] = [set.tp, set.sl].map((text) => (text === '' ? undefined : n(text)))
      const isNew = (now: Big | undefined, before: Big | undefined) => (now && before && now.eq(before) ? undefined : now)
      if (!areStopsRight(row.side, row.state === 'entrust' ? row.limit! : mark, isNew(tp, row.tp), isNew(sl, row.sl))) return false
      Object.assign(row, { tp, sl })
      return true
    },
    margin(uid: number, id: number, action: 'add' | 'remove', amount: string): boolean {
      const row = own(uid, id, 'open')
      if (!row) return false
      const loss = profitOf(row.side, row.lots, row.open, mark)
      const most =
        action === 'add'
          ? size(row.lots).times(row.open).minus(row.margin)
          : row.margin.minus(marginOf(row.lots, row.open, row.multiple)).plus(loss.lt(0) ? loss : zero)
      const signed = action === 'add' ? n(amount) : n(amount).times(-1)
      const liquidation = liquidationOf(row.side, row.lots, row.open, row.margin.plus(signed))
      if (n(amount).gt(most) || hasFallenTo(row.side, liquidation) || signed.gt(free.get(uid)!)) return false
      give(uid, signed.times(-1))
      Object.assign(row, { margin: row.margin.plus(signed), liquidation })
      return true
    },
    ids: (uid: number, ...states: string[]) =>
      [...rows].filter(([, row]) => row.uid === uid && states.includes(row.state)).map(([id]) => id),
    row: (id: number) => rows.get(id)!,
    all: () => [...rows.values()],
    /** One line for each row, customer and account of the house. */
    lines(): string[] {
      const frozen = (uid: number) => [...rows.values()].reduce((all, row) => (row.uid === uid ? all.plus(row.held) : all), zero)
      return [
        ...[...rows].map(([id, row]) =>
          [
            ...[
              id,
              row.state,
              row.reason,
              row.lots,
              row.margin,
              row.held,
              row.liquidation ?? '-',
              row.profit,
              row.fee,
              row.overnight,
              row.result,
            ],
          ].join(' '),
        ),
        ...[...free].map(([uid, amount]) => `${uid} ${amount.toFixed()}/${frozen(uid).toFixed()}`),
        ...Object.entries(house).map(([name, amount]) => `${name} ${amount.toFixed()}`),
      ]
    },
  }
}
