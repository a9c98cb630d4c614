import { useState } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/accordion/Accordion.module.css'
import type { AccordionProps } from '#widgets/accordion/accordion.props.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { RichHtml } from '#widgets/parts/RichHtml.tsx'

/** Native disclosure widgets. An answer is sanitized and rendered when it is first opened. */
export function Accordion({ root, props }: ViewProps<AccordionProps>) {
  return (
    <section {...root} className={styles.accordion} aria-label={props.label}>
      {props.items.map((item) => (
        <Part key={item.id} item={item} />
      ))}
    </section>
  )
}

function Part({ item }: { item: AccordionProps['items'][number] }) {
  const [seen, setSeen] = useState(false)
  return (
    <details className={styles.part} onToggle={(event) => event.currentTarget.open && setSeen(true)}>
      <summary className={`pressable ${styles.title}`}>
        <span className={styles.words}>{item.title}</span>
        <Icon name="chevron-down" size={18} className={styles.arrow} />
      </summary>
      <div className={styles.answer}>{seen && <RichHtml html={item.html} />}</div>
    </details>
  )
}
