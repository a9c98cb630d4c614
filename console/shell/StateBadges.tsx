import { useWords } from '#console/io/words.ts'
import { Badge, type BadgeTone } from '#console/parts/Badge.tsx'
import type { Draft, ReleaseInfo } from '#language/publish/publishing.ts'

const draftTones: Record<Draft['state'], BadgeTone> = {
  open: 'neutral',
  submitted: 'info',
  approved: 'good',
  published: 'accent',
  dropped: 'neutral',
}

/** The state of a draft. */
export function DraftStateBadge({ draft }: { draft: Draft }) {
  const say = useWords()
  if (draft.schedule?.state === 'waiting') return <Badge tone="accent">{say('shell.state.scheduled')}</Badge>
  if (draft.state === 'open' && draft.rejection) return <Badge tone="bad">{say('shell.state.rejected')}</Badge>
  return <Badge tone={draftTones[draft.state]}>{say(`shell.state.${draft.state}`)}</Badge>
}

const releaseTones = { live: 'good', candidate: 'info', past: 'neutral', stopped: 'bad' } as const

export function ReleaseStateBadge({ release: { state, rollout } }: { release: ReleaseInfo }) {
  const say = useWords()
  return (
    <Badge tone={releaseTones[state]}>
      {say(`review.state.${state}`)}
      {state === 'candidate' && rollout ? ` ${rollout.percent} %` : ''}
    </Badge>
  )
}
