import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useId, useRef, useState } from 'react'
import * as z from 'zod'
import { useWords } from '#console/io/words.ts'
import { Button, IconButton } from '#console/parts/Button.tsx'
import styles from '#console/parts/dialog/Dialog.module.css'
import { useBackCloses } from '#console/parts/dialog/useBackCloses.ts'
import { Field, TextArea } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
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
  /** Asks for a reason, which goes into the audit log, and does what is asked with it. The dialog stays open until that is done. */
  reason?: {
    label: string
    required: boolean
    /** The reason among the inputs of the call. */
    input: z.ZodType<unknown, string>
    /** @throws ConsoleError, which is said at the reason */
    send: (reason: string) => Promise<unknown>
  }
}
type AskFor = (question: Question) => Promise<boolean>
const AskContext = createContext<AskFor>(async () => false)

/** Asks for confirmation. False: refused. */
export const useConfirm = (): AskFor => useContext(AskContext)

export function ConfirmHost({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(0)
  const answer = useRef<(given: boolean) => void>(undefined)
  const ask = useCallback<AskFor>((next) => {
    answer.current?.(false)
    setQuestion(next)
    setAsked((before) => before + 1)
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])
  const end = (given: boolean) => {
    setOpen(false)
    answer.current?.(given)
    answer.current = undefined
  }
  return (
    <AskContext value={ask}>
      {children}
      {question && <QuestionDialog key={asked} question={question} open={open} end={end} />}
    </AskContext>
  )
}

const none = z.object({})

function QuestionDialog({ question, open, end }: { question: Question; open: boolean; end(given: boolean): void }) {
  const say = useWords()
  const { title, text, ok, danger, reason } = question
  const { field, error, busy, submit } = useCallForm<{ reason?: string }>({
    schema: reason ? z.object({ reason: reason.input }) : none,
    defaults: reason ? { reason: '' } : {},
    needed: reason?.required ? ['reason'] : [],
    async send({ reason: typed = '' }) {
      await reason?.send(typed.trim())
      end(true)
    },
  })
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={() => end(false)}
      title={title}
      foot={
        <>
          <Button onClick={() => end(false)}>{say('shell.cancel')}</Button>
          <Button tone={danger ? 'danger' : 'primary'} busy={busy} type="submit" form={id}>
            {ok}
          </Button>
        </>
      }
    >
      <form id={id} style={{ display: 'contents' }} onSubmit={submit} noValidate>
        {text}
        {reason && (
          <Field label={reason.label} error={error('reason')}>
            {(control) => <TextArea {...control} {...field('reason')} rows={3} />}
          </Field>
        )}
      </form>
    </Dialog>
  )
}
