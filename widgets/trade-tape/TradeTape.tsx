import { memo } from 'react'
import type { TradePrint } from '#contract/feed.ts'
import { useEngineText, useFormat, useTrades, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/trade-tape/TradeTape.module.css'
import type { TradeTapeProps } from '#widgets/trade-tape/trade-tape.props.ts'

/** Latest trades, newest first. */
export function TradeTape({ root, props: { symbol, tick = '1', rows = 20 } }: ViewProps<TradeTapeProps>) {
  const trades = useTrades(symbol)
  const say = useEngineText()
  const format = useFormat()
  const sides = { buy: say('widget.chart_buy'), sell: say('widget.chart_sell') }
  return (
    <div {...root} className={styles.tape}>
      <table className={styles.table}>
        <caption className="visually-hidden">{say('widget.chart_trades')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('widget.chart_price')}</th>
            <th scope="col">{say('widget.chart_amount')}</th>
            <th scope="col">{say('widget.chart_side')}</th>
            <th scope="col">{say('widget.chart_time')}</th>
          </tr>
        </thead>
        <tbody>
          {trades.slice(0, rows).map((trade) => (
            <Print key={trade.id} trade={trade} tick={tick} side={sides[trade.side]} format={format} />
          ))}
        </tbody>
      </table>
      {trades.length === 0 && <p className={styles.none}>{say('widget.chart_no_trades')}</p>}
    </div>
  )
}

interface PrintProps {
  trade: TradePrint
  tick: string
  side: string
  format: ReturnType<typeof useFormat>
}

/** A trade never changes, so its row renders once. */
const Print = memo(function Print({ trade, tick, side, format }: PrintProps) {
  return (
    <tr data-key={trade.id} data-side={trade.side}>
      <td className={styles.price}>{format.price(trade.price, tick)}</td>
      <td>{Number(trade.size) >= 1e5 ? format.compact(trade.size) : format.amount(trade.size)}</td>
      <td className={styles.side}>{side}</td>
      <td className={styles.time}>{format.dateTime(trade.ts).slice(-8)}</td>
    </tr>
  )
})
