import { Compass } from 'lucide-react'
import { useRouteError } from 'react-router-dom'
import { useWords } from '#console/io/words.ts'
import { Button, LinkButton } from '#console/parts/Button.tsx'
import { EmptyState } from '#console/parts/EmptyState.tsx'

/** Shown when a page throws. The rest of the console keeps working, and unsaved edits are stored in this browser. */
export function BrokenPage({ inside = false }: { inside?: boolean }) {
  const say = useWords()
  const error = useRouteError()
  const name = error instanceof Error ? error.name : 'Error'
  const message = (
    <EmptyState title={say('shell.broken.title')} text={say('shell.broken.text', { name })}>
      <Button tone="primary" onClick={() => location.reload()}>
        {say('shell.broken.reload')}
      </Button>
    </EmptyState>
  )
  // Inside the frame, the page's main element is already there.
  return inside ? message : <main style={{ height: '100%', display: 'grid', placeItems: 'center' }}>{message}</main>
}

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
