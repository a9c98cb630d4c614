import { type FieldGiven, useEngineText, useField, type ViewProps } from '#renderer/widget-api.ts'
import { SelectBox } from '#widgets/parts/fields/SelectBox.tsx'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/swap-field/SwapField.module.css'
import type { SwapFieldProps } from '#widgets/swap-field/swap-field.props.ts'

/** The second of two selects, with a button that swaps them. */
export function SwapField({ root, props, emit, busy }: ViewProps<SwapFieldProps & FieldGiven, 'swap'>) {
  const say = useEngineText()
  const { enabled } = useField()
  const swap = (
    <button
      type="button"
      className={classes('pressable', styles.swap)}
      aria-label={say('widget.swap')}
      aria-disabled={busy || undefined}
      disabled={!enabled}
      onClick={busy ? undefined : () => emit('swap')}
    >
      <span className={styles.disc}>
        <Icon name="arrow-left-right" size={18} className={styles.icon} />
      </span>
    </button>
  )
  return <SelectBox root={root} props={props} aside={swap} />
}
