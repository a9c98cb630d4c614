import { CalendarX2, Check, Rocket, Send, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useConsole } from '#console/io/console.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useRun } from '#console/parts/useRun.ts'
import { ApproveDialog } from '#console/review/ApproveDialog.tsx'
import { PublishDialog } from '#console/review/PublishDialog.tsx'
import { stepsFor } from '#console/review/review.rules.ts'
import type { CheckReport } from '#language/publishing.ts'

/**
 * The next step on the way to customers, for who may take it.
 * @param current false while what was typed since the report is saved and checked: until then it allows no step
 */
export function ReviewActions({ report, current, onDone }: { report: CheckReport | null; current: boolean; onDone: () => void }) {
  const say = useWords()
  const toast = useToast()
  const confirm = useConfirm()
  const { client, me } = useConsole()
  const { draft, saved, flush } = useWorkspace()
  const { busy, run } = useRun()
  const [dialog, setDialog] = useState<'approve' | 'publish' | null>(null)
  if (!draft || !me) return null
  const steps = stepsFor(me.operator, draft, saved, current ? report : null)
  const hash = report?.hash ?? draft.hash ?? ''
  const done = (text: string) => {
    toast.good(text)
    onDone()
  }
  const submit = async () => {
    const told = await confirm({
      title: say('review.submit.title'),
      text: say('review.submit.text'),
      ok: say('review.submit.ok'),
      reason: { label: say('review.submit.note'), required: false },
    })
    if (told)
      await run('submit', async () => {
        if (!(await flush())) return
        await client.submit(draft.id, told.reason)
        done(say('review.submit.done'))
      })
  }
  const reject = async () => {
    const told = await confirm({
      title: say('review.reject.title'),
      ok: say('review.reject.ok'),
      danger: true,
      reason: { label: say('review.reject.reason'), required: true },
    })
    if (told)
      await run('reject', async () => {
        await client.reject(draft.id, { hash, reason: told.reason })
        done(say('review.reject.done', { name: draft.author }))
      })
  }
  const cancel = async () => {
    const told = await confirm({
      title: say('review.cancel.title'),
      ok: say('review.cancel.ok'),
      danger: true,
      reason: { label: say('review.reason'), required: true },
    })
    if (told)
      await run('cancel', async () => {
        await client.cancelSchedule(draft.id, told.reason)
        done(say('review.cancel.done'))
      })
  }
  return (
    <>
      {steps.withdraw && (
        <Button
          icon={Undo2}
          busy={busy === 'withdraw'}
          onClick={() =>
            void run('withdraw', async () => {
              await client.withdraw(draft.id)
              done(say('review.withdrawn'))
            })
          }
        >
          {say('review.withdraw')}
        </Button>
      )}
      {steps.reject && (
        <Button tone="danger" icon={X} busy={busy === 'reject'} onClick={() => void reject()}>
          {say('review.reject.open')}
        </Button>
      )}
      {steps.cancel && (
        <Button tone="danger" icon={CalendarX2} busy={busy === 'cancel'} onClick={() => void cancel()}>
          {say('review.cancel.open')}
        </Button>
      )}
      {steps.submit && (
        <Button tone="primary" icon={Send} busy={busy === 'submit'} onClick={() => void submit()}>
          {say('review.submit.open')}
        </Button>
      )}
      {steps.own && (
        <Button icon={Check} disabled title={say('shell.problem.own_draft')}>
          {say('review.approve.own')}
        </Button>
      )}
      {steps.approve && (
        <Button tone="primary" icon={Check} onClick={() => setDialog('approve')}>
          {say('review.approve.open')}
        </Button>
      )}
      {steps.publish && (
        <Button tone="primary" icon={Rocket} onClick={() => setDialog('publish')}>
          {say('review.publish.open')}
        </Button>
      )}
      {report && <ApproveDialog open={dialog === 'approve'} draft={draft} report={report} onClose={() => setDialog(null)} onDone={done} />}
      <PublishDialog open={dialog === 'publish'} draft={draft} hash={hash} onClose={() => setDialog(null)} onDone={onDone} />
    </>
  )
}
