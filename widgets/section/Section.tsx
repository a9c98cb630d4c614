import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/section/Section.module.css'
import type { SectionProps } from '#widgets/section/section.props.ts'

export function Section({ root, props, emit, slots }: ViewProps<SectionProps, 'more', 'body'>) {
  const { title, more } = props
  const id = useId()
  return (
    <section {...root} className={styles.section} aria-labelledby={title ? id : undefined}>
      {(title || more) && (
        <div className={styles.head}>
          {title && (
            <h2 id={id} className={styles.title}>
              {title}
            </h2>
          )}
          {more && (
            <button
              type="button"
              id={`${id}-more`}
              className={classes('pressable', styles.more)}
              aria-labelledby={title ? `${id}-more ${id}` : undefined}
              onClick={() => emit('more')}
            >
              {more}
              <Icon name="chevron-right" size={16} />
            </button>
          )}
        </div>
      )}
      {slots.body.all()}
    </section>
  )
}
