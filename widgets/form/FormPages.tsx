import type { ComponentProps } from 'react'
import type { PagesLook } from '#renderer/widget-api.ts'
import styles from '#widgets/form/FormPages.module.css'
import { PushButton } from '#widgets/parts/PushButton.tsx'

/** Where the page stands, as a bar and in words, and its title. */
export function Head({ n, count, step, title, text, focus }: ComponentProps<PagesLook['Head']>) {
  return (
    <header className={styles.head}>
      <p className={styles.step}>{step}</p>
      <div className={styles.bar} aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part of the bar is its place
          <span key={i} data-done={i <= n || undefined} />
        ))}
      </div>
      <h2 ref={focus} tabIndex={-1} className={styles.title}>
        <span className="visually-hidden">{step}: </span>
        {title}
      </h2>
      {text && <p className={styles.text}>{text}</p>}
    </header>
  )
}

/** The entries of the pages before, each with a way back. */
export function Summary({ pages }: ComponentProps<PagesLook['Summary']>) {
  return pages.map(({ id, title, rows, change, onChange }) => (
    <section key={id} className={styles.summary}>
      <div className={styles.top}>
        <h3 className={styles.name}>{title}</h3>
        <PushButton label={change} icon="pencil" size="sm" tone="quiet" hideLabel onPress={onChange} />
      </div>
      <dl className={styles.rows}>
        {rows.map((row) => (
          <div key={row.id} className={styles.row}>
            <dt>{row.label}</dt>
            <dd>{row.text}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}

export function Foot({ back, onBack, children }: ComponentProps<PagesLook['Foot']>) {
  return (
    <div className={styles.foot}>
      {back !== undefined && (
        <div className={styles.back}>
          <PushButton label={back} onPress={onBack} />
        </div>
      )}
      <div className={styles.on}>{children}</div>
    </div>
  )
}
