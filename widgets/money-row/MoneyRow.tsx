import { useFormat, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/money-row/MoneyRow.module.css'
import type { MoneyRowProps } from '#widgets/money-row/money-row.props.ts'
import { CoinMark } from '#widgets/parts/look/CoinMark.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'
import { signedParts } from '#widgets/parts/values/money.rules.ts'

/** A label with an amount: all significant digits, and at least two decimals if the currency has them. */
export function MoneyRow({ root, props, emit, listens, busy, enabled, status }: ViewProps<MoneyRowProps, 'press'>) {
  if (status === 'loading') return <SkeletonShape shape="row" count={1} root={{ ...root }} />
  if (listens && !listens('press')) {
    return (
      <div {...root} className={styles.row}>
        <Face {...props} />
      </div>
    )
  }
  return (
    <button
      {...root}
      type="button"
      className={classes('pressable', styles.row)}
      disabled={!enabled}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : () => emit('press')}
    >
      <Face {...props} />
      {busy && <Spinner />}
    </button>
  )
}

function Face({ title, note, coin, icon, amount, unit, scale = 0, signed = false, usd, sub, hidden = false }: MoneyRowProps) {
  const format = useFormat()
  const { sign, size } = signedParts(amount ?? '')
  const lead = signed ? sign : sign === '−' ? sign : ''
  const shownAmount = `${lead}${format.amount(size, { min: Math.min(scale, 2) })}`
  const worth = sub ?? (usd === undefined ? undefined : `≈ ${format.fiat(usd)}`)
  return (
    <>
      {coin !== undefined && <CoinMark code={coin} />}
      {icon !== undefined && <Icon name={icon} size={22} className={styles.icon} />}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {note && <span className={styles.note}>{note}</span>}
      </span>
      <span className={classes('num', styles.figures)}>
        <span className={styles.amount} data-sign={signed && !hidden ? sign : undefined}>
          <Hideable text={unit ? `${shownAmount} ${unit}` : shownAmount} hidden={hidden} />
        </span>
        {worth !== undefined && (
          <span className={styles.sub}>
            <Hideable text={worth} hidden={hidden} />
          </span>
        )}
      </span>
    </>
  )
}
