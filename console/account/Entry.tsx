import type { ReactNode } from 'react'
import { useEffect } from 'react'
import styles from '#console/account/Entry.module.css'
import { useWords } from '#console/io/words.ts'
import { LanguageSelect } from '#console/shell/LanguageSelect.tsx'

/** Frame of the pages before the login: log in, set up. */
export function Entry({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const say = useWords()
  const product = say('shell.product')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <div className={styles.ground}>
      <main className={styles.box}>
        <div className={styles.brand}>
          <img src="/icon.svg" alt="" width={36} height={36} />
          <span>{product}</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </main>
      <div className={styles.language}>
        <LanguageSelect />
      </div>
    </div>
  )
}
