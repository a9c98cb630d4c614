import type { ViewProps } from '#renderer/widget-api.ts'
import { mayDraw } from '#widgets/parts/address.rules.ts'
import { CoinMark } from '#widgets/parts/look/CoinMark.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import styles from '#widgets/row/Row.module.css'
import type { RowProps } from '#widgets/row/row.props.ts'

export function Row({ root, props, emit, listens, busy, enabled, status }: ViewProps<RowProps, 'press'>) {
  const { arrow = true, selected } = props
  if (status === 'loading') return <SkeletonShape shape="row" count={1} root={{ ...root }} />
  if (listens && !listens('press')) {
    return (
      <div {...root} className={styles.row}>
        <Face {...props} arrow={false} />
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
      aria-pressed={selected}
      onClick={busy ? undefined : () => emit('press')}
    >
      <Face {...props} arrow={arrow && selected === undefined} busy={busy} />
    </button>
  )
}

function Face({
  title,
  note,
  value: given,
  placeholder,
  icon,
  image,
  coin,
  arrow,
  badge,
  badgeTone,
  selected,
  busy,
}: RowProps & { busy?: boolean }) {
  const value = given || placeholder || given
  return (
    <>
      {coin ? (
        <CoinMark code={coin} />
      ) : image && mayDraw(image) ? (
        <img className={styles.image} src={image} alt="" loading="lazy" />
      ) : (
        icon && <Icon name={icon} size={22} className={styles.icon} />
      )}
      <span className={styles.main}>
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          {note && <span className={styles.note}>{note}</span>}
        </span>
        {(badge || value !== undefined) && (
          <span className={styles.end}>
            {value !== undefined && <span className={classes(styles.value, coin && styles.figure)}>{value}</span>}
            {badge && (
              <span className={styles.badge} data-tone={badgeTone}>
                {badge}
              </span>
            )}
          </span>
        )}
      </span>
      {busy && <Spinner />}
      {arrow && <Icon name="chevron-right" size={18} className={styles.arrow} />}
      {selected && <Icon name="check" size={20} className={styles.tick} />}
    </>
  )
}
