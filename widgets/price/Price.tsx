import { useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/price/Price.module.css'
import type { PriceProps } from '#widgets/price/price.props.ts'

/** One live price of a symbol. */
export function Price({ root, props }: ViewProps<PriceProps>) {
  const { symbol, field = 'last', tick, size = 'md', align, fallback } = props
  const quote = useQuote(symbol)
  const { price } = useFormat()
  const value = quote?.[field] ?? fallback
  return (
    <Ticking
      root={{ ...root }}
      className={classes(styles[size], align === 'end' && styles.end)}
      value={value}
      text={value === undefined ? '—' : price(value, tick)}
    />
  )
}
