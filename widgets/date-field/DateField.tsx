import { useField, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/date-field/DateField.module.css'
import { classes } from '#widgets/parts/classes.ts'
import { FieldFrame } from '#widgets/parts/FieldFrame.tsx'
import frame from '#widgets/parts/field.module.css'
import { Icon } from '#widgets/parts/Icon.tsx'

interface DateFieldProps {
  min?: string
  max?: string
  autoComplete?: string
}

/** The phone's own date control; the value is yyyy-mm-dd whatever the language shows. */
export function DateField({ root, props }: ViewProps<DateFieldProps>) {
  const field = useField()
  const { min, max, autoComplete = 'off' } = props
  return (
    <FieldFrame root={root} field={field}>
      <span className={styles.around}>
        <input
          {...field.native}
          type="date"
          className={classes('num', frame.box, styles.date)}
          min={min}
          // Without it the year may have six digits.
          max={max ?? '9999-12-31'}
          autoComplete={autoComplete}
        />
        <Icon name="calendar" size={18} className={styles.icon} />
      </span>
    </FieldFrame>
  )
}
