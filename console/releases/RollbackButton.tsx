import { History } from 'lucide-react'
import { useClient } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { useToast } from '#console/parts/Toast.tsx'
import { useClosed } from '#console/parts/useClosed.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { ReleaseInfo } from '#language/publish/publishing.ts'

/** Publishes the content of an earlier release as a new release. */
export function RollbackButton({ release, small, onDone }: { release: ReleaseInfo; small?: boolean; onDone: () => void }) {
  const say = useWords()
  const toast = useToast()
  const confirm = useConfirm()
  const client = useClient()
  const closed = useClosed('publisher')
  const back = async () => {
    let made: ReleaseInfo | undefined
    const answer = await confirm({
      title: say('review.rollback.title', { number: release.number }),
      text: say('review.rollback.text'),
      ok: say('review.rollback.ok'),
      danger: true,
      reason: {
        label: say('review.reason'),
        required: true,
        input: consoleCalls['releases.rollback'].input.shape.reason,
        async send(reason) {
          made = await client.rollback(release.number, reason)
        },
      },
    })
    if (!answer) return
    toast.good(say('review.rollback.done', { number: made?.number, from: release.number }))
    onDone()
  }
  return (
    <Button
      small={small}
      tone={small ? 'quiet' : 'danger'}
      icon={History}
      closed={closed}
      onClick={(event) => {
        event.stopPropagation()
        void back()
      }}
    >
      {say('review.rollback.open')}
    </Button>
  )
}
