import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { Spinner } from '#widgets/parts/look/Spinner.tsx'
import styles from '#widgets/parts/PushButton.module.css'

interface PushButtonProps {
  label: string
  /**
   * `up` and `down`: the colours of rising and falling prices, for buying and selling. `field` looks like an empty input: it leads to the screen
   * where one types.
   */
  tone?: 'primary' | 'secondary' | 'up' | 'down' | 'danger' | 'quiet' | 'field'
  size?: 'md' | 'sm'
  icon?: string
  block?: boolean
  /** Icon alone; the label names the button. */
  hideLabel?: boolean
  pressed?: boolean
  /** Short mark at the icon; the label says it too. */
  badge?: string
  /** Waits: says so and cannot be pressed. */
  busy?: boolean
  enabled?: boolean
  root?: Record<string, unknown>
  onPress: () => void
}

export function PushButton(props: PushButtonProps) {
  const {
    label,
    tone = 'secondary',
    size = 'md',
    icon,
    block = false,
    hideLabel = false,
    pressed,
    badge,
    busy = false,
    enabled = true,
    root,
    onPress,
  } = props
  return (
    <button
      {...root}
      type="button"
      className={classes(
        'pressable',
        styles.button,
        styles[tone],
        size === 'sm' && styles.sm,
        block && styles.block,
        hideLabel && styles.bare,
      )}
      disabled={!enabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      aria-label={hideLabel ? label : undefined}
      onClick={busy ? undefined : onPress}
    >
      <span className={styles.face}>
        {busy ? <Spinner /> : icon && <Icon name={icon} size={size === 'sm' ? 16 : 20} />}
        {!hideLabel && <span>{label}</span>}
        {badge && (
          <span className={styles.badge} aria-hidden="true">
            {badge}
          </span>
        )}
      </span>
    </button>
  )
}
