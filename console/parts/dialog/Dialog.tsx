import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import styles from '#console/parts/dialog/Dialog.module.css'
import { useBackCloses } from '#console/parts/dialog/useBackCloses.ts'
import { Field, TextArea } from '#console/parts/Field.tsx'
import { classes } from '#widgets/parts/look/classes.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** Buttons at the bottom. */
  foot?: ReactNode
  wide?: boolean
  /** Only the buttons close the dialog. */
  modal?: boolean
  children: ReactNode
}

/** A dialog that keeps the focus inside and returns it on closing; Escape and the browser's back close it. */
export function Dialog({ open, onClose, title, foot, wide = false, modal = false, children }: DialogProps) {
  const say = useWords()
  useBackCloses(open, onClose)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()} disablePointerDismissal={modal}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup className={classes(styles.box, wide && styles.wide)}>
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
          </div>
          <div className={styles.body}>{children}</div>
          {foot && <div className={styles.foot}>{foot}</div>}
          {/* Last, so that the content of the dialog gets the focus first. */}
          <IconButton className={styles.close} label={say('shell.close')} icon={X} onClick={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export interface Question {
  title: string
  text?: ReactNode
  /** Label of the confirming button. */
  ok: string
  danger?: boolean
  /** Asks for a reason, which goes into the audit log. */
  reason?: { label: string; required: boolean }
}
type AskFor = (question: Question) => Promise<{ reason: string } | null>
const AskContext = createContext<AskFor>(async () => null)

/** Asks for confirmation. Null: refused. */
export const useConfirm = (): AskFor => useContext(AskContext)

export function ConfirmHost({ children }: { children: ReactNode }) {
  const say = useWords()
  const [question, setQuestion] = useState<Question | null>(null)
  const [open, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const answer = useRef<(given: { reason: string } | null) => void>(undefined)
  const ask = useCallback<AskFor>((next) => {
    answer.current?.(null)
    setQuestion(next)
    setReason('')
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])
  const end = (given: { reason: string } | null) => {
    setOpen(false)
    answer.current?.(given)
    answer.current = undefined
  }
  const lacking = question?.reason?.required === true && reason.trim() === ''
  return (
    <AskContext value={ask}>
      {children}
      {question && (
        <Dialog
          open={open}
          onClose={() => end(null)}
          title={question.title}
          foot={
            <>
              <Button onClick={() => end(null)}>{say('shell.cancel')}</Button>
              <Button tone={question.danger ? 'danger' : 'primary'} disabled={lacking} onClick={() => end({ reason: reason.trim() })}>
                {question.ok}
              </Button>
            </>
          }
        >
          {question.text}
          {question.reason && (
            <Field label={question.reason.label}>
              {(field) => (
                <TextArea {...field} value={reason} rows={3} maxLength={1_000} onChange={(event) => setReason(event.target.value)} />
              )}
            </Field>
          )}
        </Dialog>
      )}
    </AskContext>
  )
}
