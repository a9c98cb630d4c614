import { useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import type { ReleaseInfo } from '#language/publish/publishing.ts'

const tones = { live: 'good', candidate: 'info', past: 'neutral', stopped: 'bad' } as const

export function ReleaseStateBadge({ release: { state, rollout } }: { release: ReleaseInfo }) {
  const say = useWords()
  return (
    <Badge tone={tones[state]}>
      {say(`review.state.${state}`)}
      {state === 'candidate' && rollout ? ` ${rollout.percent} %` : ''}
    </Badge>
  )
}
