import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { ConsoleError } from '#console/io/client.ts'
import { type Say, useWords } from '#console/io/words.ts'
import { IconButton } from '#console/parts/Button.tsx'
import styles from '#console/parts/Toast.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

interface Note {
  id: number
  tone: 'good' | 'bad'
  text: string
  action?: { label: string; run: () => void } | undefined
}
interface Toasts {
  good(text: string, action?: Note['action']): void
  /** Shows a refusal in words; unexpected errors are shown by their code. */
  bad(error: unknown): void
}
const ToastContext = createContext<Toasts>({ good: () => undefined, bad: () => undefined })
export const useToast = (): Toasts => useContext(ToastContext)

/** A refusal in the operator's language. The server's message is used where the console has no text for the code. */
export function problemText(say: Say, error: unknown): string {
  if (!(error instanceof ConsoleError)) return say('shell.problem.internal')
  const key = `shell.problem.${error.code}`
  const text = say(key)
  return text !== key ? text : error.message || say('shell.problem.internal')
}

const goodMs = 5_000
const badMs = 12_000

export function ToastHost({ children }: { children: ReactNode }) {
  const say = useWords()
  const [notes, setNotes] = useState<Note[]>([])
  const next = useRef(0)
  const away = useCallback((id: number) => setNotes((all) => all.filter((one) => one.id !== id)), [])
  const add = useCallback(
    (note: Omit<Note, 'id'>) => {
      const id = next.current++
      setNotes((all) => [...all.slice(-2), { id, ...note }])
      setTimeout(() => away(id), note.tone === 'good' ? goodMs : badMs)
    },
    [away],
  )
  const toasts = useMemo<Toasts>(
    () => ({
      good: (text, action) => add({ tone: 'good', text, action }),
      bad: (error) => add({ tone: 'bad', text: problemText(say, error) }),
    }),
    [add, say],
  )
  return (
    <ToastContext value={toasts}>
      {children}
      <div className={styles.host} aria-live="polite">
        {notes.map(({ id, tone, text, action }) => (
          <div key={id} className={classes(styles.note, styles[tone])}>
            <span className={styles.text}>{text}</span>
            {action && (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  away(id)
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
            <IconButton small label={say('shell.close')} icon={X} onClick={() => away(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
