import { Compass } from 'lucide-react'
import { useWords } from '#console/io/words.ts'
import { LinkButton } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'

export function LostPage() {
  const say = useWords()
  return (
    <EmptyState icon={Compass} title={say('shell.lost.title')} text={say('shell.lost.text')}>
      <LinkButton to="/" tone="primary">
        {say('shell.lost.home')}
      </LinkButton>
    </EmptyState>
  )
}
