import type { ComponentProps } from 'react'
import styles from '#widgets/parts/fields/DayBox.module.css'
import frame from '#widgets/parts/fields/field.module.css'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'

/** The native date control; its value is yyyy-mm-dd in every language. */
export function DayBox({ max = '9999-12-31', ...rest }: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <span className={styles.around}>
      {/* Without a maximum the year may have six digits. */}
      <input {...rest} type="date" className={classes('num', frame.box, styles.date)} max={max} />
      <Icon name="calendar" size={18} className={styles.icon} />
    </span>
  )
}
