import { useMemo, useState } from 'react'
import { useCall } from '#bench/load/handwritten/calls.ts'
import { Frame, Segmented } from '#bench/load/handwritten/Frame.tsx'
import { useBook, useQuote, useWanted } from '#bench/load/handwritten/quotes.ts'
import type { leverCalls } from '#contract/calls/lever.calls.ts'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractFillPrice } from '#contract/functions/contract.fillPrice.function.ts'
import { contractLiquidationPrice } from '#contract/functions/contract.liquidationPrice.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractMostLots } from '#contract/functions/contract.mostLots.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import rows from '#widgets/key-value/KeyValue.module.css'
import { type BookKit, BookSide } from '#widgets/order-book/BookSide.tsx'
import book from '#widgets/order-book/OrderBook.module.css'
import { balance, bookRows } from '#widgets/order-book/order-book.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'

const symbol = 'BTCUSDT'
const levels = 8
const none: ReadonlySet<number> = new Set()
const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const amount = new Intl.NumberFormat('en', { maximumFractionDigits: 8 })
const kit: BookKit = {
  price: (text) => price.format(text as never),
  size: (text) => amount.format(text as never),
  total: (text) => amount.format(text as never),
  label: (side, row) => `${side} ${row.price} ${row.size} ${row.total}`,
  onPrice: () => {},
}

function Book({ tick }: { tick: string }) {
  const depth = useBook(symbol)
  const last = useQuote(symbol)?.last ?? ''
  const bids = useMemo(() => bookRows(depth?.bids ?? [], 'bids', tick, 1, levels), [depth, tick])
  const asks = useMemo(() => bookRows(depth?.asks ?? [], 'asks', tick, 1, levels), [depth, tick])
  const scale = balance(bids, asks)
  return (
    <div className={book.book} data-layout="stacked" data-node="book">
      <div className={book.sides}>
        <BookSide side="asks" label="Asks" rows={asks} own={none} places={levels} scale={scale.asks} upsideDown kit={kit} />
        <Ticking value={last} text={price.format(last as never)} />
        <BookSide side="bids" label="Bids" rows={bids} own={none} places={levels} scale={scale.bids} upsideDown={false} kit={kit} />
      </div>
    </div>
  )
}

type Deal = ReturnType<(typeof leverCalls)['lever.deal']['output']['parse']>
const side = 'long'

function Sums({ deal, lots, multiple }: { deal: Deal; lots: string; multiple: number }) {
  const mark = useQuote(symbol)?.last ?? deal.mark
  const { terms, scale, tick } = deal
  const amounts = useMemo(() => {
    if (!mark) return undefined
    const at = contractFillPrice.run({ side, price: mark, spread: terms.spread, tick })
    const most = contractMostLots.run({
      available: deal.available,
      price: at,
      lot_size: terms.lot_size,
      multiple,
      fee_rate: terms.fee_rate,
      step: terms.lots_min,
      scale,
    })
    if (!(Number(lots) > 0)) return { most }
    const worth = contractNotional.run({ lots, lot_size: terms.lot_size, price: at })
    const margin = contractMargin.run({ notional: worth, multiple, scale })
    const fee = contractFee.run({ notional: worth, rate: terms.fee_rate, scale })
    const base = { side, price: at, lots, lot_size: terms.lot_size, margin, maintenance_rate: terms.maintenance_rate }
    return { most, margin, fee, liquidation: contractLiquidationPrice.run({ ...base, scale: deal.price_scale }) }
  }, [mark, terms, tick, deal.available, multiple, lots, scale, deal.price_scale])
  const unit = ` ${deal.currency_code}`
  const said = (text: string | undefined) => (text === undefined ? '–' : amount.format(text as never) + unit)
  const facts = [
    ['Available', said(deal.available)],
    ['Most lots', amounts?.most ?? '–'],
    ['Margin', said(amounts?.margin)],
    ['Fee', said(amounts?.fee)],
    ['Liquidation price', amounts?.liquidation ? price.format(amounts.liquidation as never) + unit : '–'],
  ] as const
  return (
    <dl className={rows.rows} data-node="sums">
      {facts.map(([label, value]) => (
        <div key={label} className={rows.row}>
          <dt className={rows.label}>{label}</dt>
          <dd className={rows.value}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The ticket of a contract, its figures and its book, written by hand. */
export function Ticket() {
  const deal = useCall<Deal>('POST', '/lever/deal', { match_id: symbol })
  const [lots, setLots] = useState('')
  useWanted(
    useMemo(() => [symbol], []),
    symbol,
  )
  return (
    <Frame screen="transaction.contract" title="BTC/USDT">
      <form data-node="ticket">
        <Segmented name="Side" options={['Long', 'Short']} />
        <Segmented name="Type" options={['Market', 'Limit']} />
        <Segmented name="Multiple" options={(deal?.terms.multiples ?? []).map((one) => `×${one}`)} />
        <label>
          Lots
          <input name="lots" inputMode="decimal" value={lots} onChange={(event) => setLots(event.target.value)} />
        </label>
        {deal && <Sums deal={deal} lots={lots} multiple={deal.terms.multiples[1] ?? 1} />}
        <button type="button">Open long</button>
      </form>
      {deal && <Book tick={deal.tick} />}
    </Frame>
  )
}
