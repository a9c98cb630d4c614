import { CalendarX2, Check, type LucideIcon, Rocket, Send, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useConsole } from '#console/io/console.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button, type ButtonTone } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { ApproveDialog } from '#console/review/ApproveDialog.tsx'
import { PublishDialog } from '#console/review/PublishDialog.tsx'
import styles from '#console/review/Review.module.css'
import { type StepName, stepsFor } from '#console/review/review.rules.ts'
import { consoleCalls as inputs } from '#contract/console/console.calls.ts'
import type { CheckReport } from '#language/publish/publishing.ts'

/**
 * The buttons of the steps that the draft's state allows. A step that is closed to this operator says why.
 * @param current false while edits since the report are saved and checked; no step is open until then
 */
export function ReviewActions({ report, current, onDone }: { report: CheckReport | null; current: boolean; onDone: () => void }) {
  const say = useWords()
  const toast = useToast()
  const confirm = useConfirm()
  const { client, me } = useConsole()
  const { draft, flush } = useWorkspace()
  const { busy, run } = useRun()
  const [dialog, setDialog] = useState<'approve' | 'publish' | null>(null)
  if (!draft || !me) return null
  const steps = stepsFor(me.operator, draft, current ? report : null)
  const hash = report?.hash ?? draft.hash ?? ''
  const done = (text: string) => {
    toast.good(text)
    onDone()
  }
  const submit = async () => {
    const answer = await confirm({
      title: say('review.submit.title'),
      text: say('review.submit.text'),
      ok: say('review.submit.ok'),
      reason: {
        label: say('review.submit.note'),
        required: false,
        input: inputs['drafts.submit'].input.shape.note,
        send: async (note) => (await flush()) && client.submit(draft.id, note),
      },
    })
    if (answer) done(say('review.submit.done'))
  }
  const reject = async () => {
    const answer = await confirm({
      title: say('review.reject.title'),
      ok: say('review.reject.ok'),
      danger: true,
      reason: {
        label: say('review.reject.reason'),
        required: true,
        input: inputs['drafts.reject'].input.shape.reason,
        send: (reason) => client.reject(draft.id, { hash, reason }),
      },
    })
    if (answer) done(say('review.reject.done', { name: draft.author }))
  }
  const cancel = async () => {
    const answer = await confirm({
      title: say('review.cancel.title'),
      ok: say('review.cancel.ok'),
      danger: true,
      reason: {
        label: say('review.reason'),
        required: true,
        input: inputs['drafts.cancelSchedule'].input.shape.reason,
        send: (reason) => client.cancelSchedule(draft.id, reason),
      },
    })
    if (answer) done(say('review.cancel.done'))
  }
  const closed = (step: StepName) => {
    const found = steps[step]
    return found === undefined || found === 'open' ? undefined : say(`review.closed.${found}`)
  }
  const withdraw = () =>
    run('withdraw', async () => {
      await client.withdraw(draft.id)
      done(say('review.withdrawn'))
    })
  const buttons: [step: StepName, tone: ButtonTone, icon: LucideIcon, act: () => unknown, label: string][] = [
    ['withdraw', 'plain', Undo2, withdraw, say('review.withdraw')],
    ['reject', 'danger', X, reject, say('review.reject.open')],
    ['cancel', 'danger', CalendarX2, cancel, say('review.cancel.open')],
    ['submit', 'primary', Send, submit, say('review.submit.open')],
    ['approve', 'primary', Check, () => setDialog('approve'), say('review.approve.open')],
    ['publish', 'primary', Rocket, () => setDialog('publish'), say('review.publish.open')],
  ]
  const shown = buttons.filter(([step]) => steps[step] !== undefined)
  const reasons = shown.flatMap(([step, , , , label]) => {
    const why = closed(step)
    return why === undefined ? [] : [{ step, label, why }]
  })
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        {shown.map(([step, tone, icon, act, label]) => (
          <Button
            key={step}
            tone={tone}
            icon={icon}
            busy={busy === step}
            closed={closed(step)}
            aria-describedby={closed(step) && `closed-${step}`}
            onClick={() => void act()}
          >
            {label}
          </Button>
        ))}
      </div>
      {reasons.length > 0 && (
        <ul className={styles.closed}>
          {reasons.map(({ step, label, why }) => (
            <li key={step} id={`closed-${step}`}>
              <strong>{label}</strong> {why}
            </li>
          ))}
        </ul>
      )}
      {report && <ApproveDialog open={dialog === 'approve'} draft={draft} report={report} onClose={() => setDialog(null)} onDone={done} />}
      <PublishDialog open={dialog === 'publish'} draft={draft} hash={hash} onClose={() => setDialog(null)} onDone={onDone} />
    </div>
  )
}
