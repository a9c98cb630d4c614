import type { ReactNode } from 'react'
import { classes } from '#widgets/parts/classes.ts'

interface RadioOptionProps {
  /** Name of the group: the same for all of its options and for no other group of the page. */
  name: string
  id: string
  /** It is the chosen one. */
  on: boolean
  enabled: boolean
  className: string | undefined
  choose: (id: string) => void
  children: ReactNode
}

/** One of several: a native radio button under a face of one's own, so that arrows, names and form behaviour come with it. */
export function RadioOption({ name, id, on, enabled, className, choose, children }: RadioOptionProps) {
  return (
    <label className={classes('pressable', className)} data-on={on || undefined}>
      <input type="radio" className="visually-hidden" name={name} value={id} checked={on} disabled={!enabled} onChange={() => choose(id)} />
      {children}
    </label>
  )
}
