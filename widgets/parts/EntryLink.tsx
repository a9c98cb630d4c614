import type { MouseEvent, ReactNode } from 'react'
import type { ShownEntry } from '#renderer/widget-api.ts'

interface EntryLinkProps {
  entry: ShownEntry
  className?: string
  current?: boolean
  children: ReactNode
}

/** A real link, which can be opened in a new tab; a plain press navigates inside the app. */
export function EntryLink({ entry, className, current = false, children }: EntryLinkProps) {
  const press = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    entry.go()
  }
  return (
    <a className={className} href={entry.href} aria-current={current ? 'page' : undefined} onClick={press}>
      {children}
    </a>
  )
}
