import { useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { Ticking } from '#widgets/parts/figures/Ticking.tsx'
import styles from '#widgets/price/Price.module.css'

interface PriceProps {
  symbol: string
  field?: 'last' | 'high24h' | 'low24h' | 'open24h'
  tick?: string
  size?: 'sm' | 'md' | 'lg' | 'xl'
  fallback?: string
}

/** One live price of a symbol. */
export function Price({ root, props }: ViewProps<PriceProps>) {
  const { symbol, field = 'last', tick, size = 'md', fallback } = props
  const quote = useQuote(symbol)
  const { price } = useFormat()
  const value = quote?.[field] ?? fallback
  return <Ticking root={{ ...root }} className={styles[size]} value={value} text={value === undefined ? '—' : price(value, tick)} />
}
