import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConsoleError } from '#console/io/client.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import styles from '#console/parts/EmptyState.module.css'
import { problemText } from '#console/parts/Toast.tsx'

/** Says that a list is empty and what to do. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon?: LucideIcon
  title: string
  text?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      {Icon && <Icon size={28} aria-hidden />}
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </div>
  )
}

/** Says why loading failed and offers another attempt. */
export function ErrorState({ error, again }: { error: ConsoleError; again?: (() => void) | undefined }) {
  const say = useWords()
  return (
    <div className={styles.empty} role="alert">
      <p className={styles.title}>{problemText(say, error)}</p>
      {again && <Button onClick={again}>{say('shell.again')}</Button>}
    </div>
  )
}

/** Placeholder while content loads. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  const say = useWords()
  return (
    <div className={styles.skeleton} role="status" aria-label={say('shell.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={styles.bone} />
      ))}
    </div>
  )
}

/** Progress of a long action. */
export function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  return (
    <div className={styles.progress}>
      <progress className={styles.bar} value={done} max={total || 1} aria-label={label} />
      <span className="quiet">{label}</span>
    </div>
  )
}
