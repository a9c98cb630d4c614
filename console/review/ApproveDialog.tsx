import * as z from 'zod'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { Dialog } from '#console/parts/dialog/Dialog.tsx'
import { Field, TextArea } from '#console/parts/Field.tsx'
import { useCallForm } from '#console/parts/form/useCallForm.ts'
import styles from '#console/review/Review.module.css'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { CheckReport, Draft } from '#language/publish/publishing.ts'

interface ApproveProps {
  open: boolean
  draft: Draft
  report: CheckReport
  onClose: () => void
  onDone: (text: string) => void
}

const { note: noteInput, unrunFlows: unrunInput } = consoleCalls['drafts.approve'].input.shape
const schema = z.object({ note: noteInput, unrunFlows: unrunInput.unwrap() })

/** Approves exactly the content that was shown. Flows that were not run need a written reason. */
export function ApproveDialog({ open, draft, report, onClose, onDone }: ApproveProps) {
  const say = useWords()
  const client = useClient()
  const ran = report.flows?.hash === report.hash && report.flows.state === 'passed'
  const hash = report.hash ?? ''
  const { field, error, busy, submit } = useCallForm({
    schema,
    defaults: { unrunFlows: '', note: '' },
    needed: ran ? [] : ['unrunFlows'],
    fields: { flows_not_run: 'unrunFlows' },
    async send({ unrunFlows, note }) {
      await client.approve(draft.id, { hash, note: note.trim(), unrunFlows: unrunFlows.trim() })
      onClose()
      onDone(say('review.approve.done'))
    },
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say('review.approve.title', { name: draft.name })}
      foot={
        <>
          <Button onClick={onClose}>{say('shell.cancel')}</Button>
          <Button tone="primary" busy={busy} type="submit" form="approve-draft">
            {say('review.approve.ok')}
          </Button>
        </>
      }
    >
      <form id="approve-draft" style={{ display: 'contents' }} onSubmit={submit} noValidate>
        <p>{say('review.approve.text')}</p>
        <p className={styles.hash}>{hash}</p>
        {report.touchesMoney && <p className={styles.warn}>{say('review.approve.money')}</p>}
        {!ran && (
          <Field label={say('review.approve.unrun')} help={say('review.approve.unrun_help')} error={error('unrunFlows')}>
            {(control) => <TextArea {...control} {...field('unrunFlows')} rows={2} />}
          </Field>
        )}
        <Field label={say('review.approve.note')} error={error('note')}>
          {(control) => <TextArea {...control} {...field('note')} rows={2} />}
        </Field>
      </form>
    </Dialog>
  )
}
