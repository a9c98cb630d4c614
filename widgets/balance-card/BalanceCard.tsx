import { useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/balance-card/BalanceCard.module.css'
import type { BalanceCardProps } from '#widgets/balance-card/balance-card.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'

/** The total balance, with a button that hides all amounts. */
export function BalanceCard({ root, props, emit, listens, status }: ViewProps<BalanceCardProps, 'toggle'>) {
  const { label, usd, btc, amount, unit, scale = 0, hidden = false } = props
  const format = useFormat()
  const say = useEngineText()
  const coin = amount === undefined ? undefined : `${format.amount(amount, { min: Math.min(scale, 2) })} ${unit ?? ''}`.trim()
  if (status === 'loading') return <SkeletonShape shape="card" count={1} root={{ ...root }} />
  const second = coin === undefined ? btc && `≈ ${format.amount(btc, { min: 8 })} BTC` : `≈ ${format.fiat(usd)}`
  return (
    <section {...root} className={styles.card} aria-label={label}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        {(listens?.('toggle') ?? true) && (
          <button
            type="button"
            className={classes('pressable', styles.eye)}
            aria-pressed={hidden}
            aria-label={say('widget.amounts_hide')}
            onClick={() => emit('toggle', !hidden)}
          >
            <Icon name={hidden ? 'eye-off' : 'eye'} size={20} />
          </button>
        )}
      </div>
      <p className={classes('num', styles.total)}>
        <Hideable text={coin ?? format.fiat(usd)} hidden={hidden} />
      </p>
      {second && (
        <p className={classes('num', styles.second)}>
          <Hideable text={second} hidden={hidden} />
        </p>
      )}
    </section>
  )
}
