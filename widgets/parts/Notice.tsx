import type { ReactNode } from 'react'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import styles from '#widgets/parts/Notice.module.css'

interface NoticeProps {
  icon?: string
  title: string
  text?: string
  /** Small print: a code that customer service asks for. */
  code?: string
  tone?: 'quiet' | 'warn'
  children?: ReactNode
}

/** Icon, text and next action: the layout of empty and error states. */
export function Notice({ icon, title, text, code, tone = 'quiet', children }: NoticeProps) {
  return (
    <div className={styles.notice}>
      {icon && (
        <span className={styles.icon} data-tone={tone}>
          <Icon name={icon} size={24} />
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {children}
      {code && <p className={styles.code}>{code}</p>}
    </div>
  )
}
