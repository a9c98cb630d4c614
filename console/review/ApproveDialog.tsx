import { useState } from 'react'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextArea } from '#console/parts/Field.tsx'
import { useRun } from '#console/parts/useRun.ts'
import styles from '#console/review/Review.module.css'
import type { CheckReport, Draft } from '#language/publish/publishing.ts'

interface ApproveProps {
  open: boolean
  draft: Draft
  report: CheckReport
  onClose: () => void
  onDone: (text: string) => void
}

/** Approves exactly the content that was shown. Flows that were not run need a written reason. */
export function ApproveDialog({ open, draft, report, onClose, onDone }: ApproveProps) {
  const say = useWords()
  const client = useClient()
  const { busy, run } = useRun()
  const [note, setNote] = useState('')
  const [unrun, setUnrun] = useState('')
  const ran = report.flows?.hash === report.hash && report.flows.state === 'passed'
  const hash = report.hash ?? ''
  const send = () =>
    run('approve', async () => {
      await client.approve(draft.id, { hash, note: note.trim(), unrunFlows: ran ? '' : unrun.trim() })
      onClose()
      onDone(say('review.approve.done'))
    })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say('review.approve.title', { name: draft.name })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy !== null} disabled={!ran && unrun.trim() === ''} onClick={() => void send()}>
            {say('review.approve.ok')}
          </Button>
        </>
      }
    >
      <p>{say('review.approve.text')}</p>
      <p className={styles.hash}>{hash}</p>
      {report.touchesMoney && <p className={styles.warn}>{say('review.approve.money')}</p>}
      {!ran && (
        <Field label={say('review.approve.unrun')} help={say('review.approve.unrun_help')}>
          {(field) => <TextArea {...field} rows={2} maxLength={1_000} value={unrun} onChange={(event) => setUnrun(event.target.value)} />}
        </Field>
      )}
      <Field label={say('review.approve.note')}>
        {(field) => <TextArea {...field} rows={2} maxLength={1_000} value={note} onChange={(event) => setNote(event.target.value)} />}
      </Field>
    </Dialog>
  )
}
