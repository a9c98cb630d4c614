import { type FieldGiven, useDepth, useEngineText, useField, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { fill } from '#widgets/parts/fields/fieldValue.ts'
import { NumberBox } from '#widgets/parts/fields/NumberBox.tsx'
import { decimalsOf } from '#widgets/parts/fields/number.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import styles from '#widgets/price-field/PriceField.module.css'
import type { PriceFieldProps } from '#widgets/price-field/price-field.props.ts'

/** The price of an order, with the last price and the best ones of the book at a press. */
export function PriceField({ root, props }: ViewProps<PriceFieldProps & FieldGiven>) {
  return (
    <NumberBox
      root={root}
      props={props}
      decimals={decimalsOf(props.step === undefined ? undefined : String(props.step), undefined)}
      below={<Quotes symbol={props.symbol} tick={props.step === undefined ? undefined : String(props.step)} />}
    />
  )
}

function Quotes({ symbol, tick }: { symbol: string; tick: string | undefined }) {
  const field = useField()
  const say = useEngineText()
  const format = useFormat()
  const quote = useQuote(symbol)
  const book = useDepth(symbol)
  const prices = [
    ['last', quote?.last],
    ['bid', book?.bids[0]?.[0]],
    ['ask', book?.asks[0]?.[0]],
  ] as const
  return (
    <div className={styles.quotes}>
      {prices.map(([id, price]) => (
        <button
          key={id}
          type="button"
          data-part={id}
          className={classes('pressable', styles.quote)}
          disabled={!field.enabled || price === undefined}
          aria-label={price === undefined ? undefined : say(`widget.price_${id}_is`, { price: format.price(price, tick) })}
          onClick={() => price !== undefined && fill(field, price)}
        >
          <span>{say(`widget.price_${id}`)}</span>
        </button>
      ))}
    </div>
  )
}
