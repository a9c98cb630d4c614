import { type ReactNode, useEffect } from 'react'
import { useWords } from '#console/io/words.ts'
import styles from '#console/parts/layout/Page.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

interface PageProps {
  title: string
  /** Badges beside the title. */
  beside?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  /** Uses the whole width instead of a readable measure. */
  wide?: boolean
  children: ReactNode
}

/** A page inside the frame: sets the document title and shows one heading with its actions. */
export function Page({ title, beside, lead, actions, wide = false, children }: PageProps) {
  const say = useWords()
  const product = say('shell.product')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <div className={classes(styles.page, wide && styles.wide)}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <div className={styles.line}>
            <h1 className={styles.title}>{title}</h1>
            {beside}
          </div>
          {lead && <div className={styles.lead}>{lead}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A section of a page with a heading. */
export function Card({
  title,
  actions,
  children,
  tone,
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  tone?: 'warn' | 'bad'
}) {
  return (
    <section className={classes(styles.card, tone && styles[tone])}>
      {(title || actions) && (
        <div className={styles.cardHead}>
          {title && <h2 className={styles.cardTitle}>{title}</h2>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
