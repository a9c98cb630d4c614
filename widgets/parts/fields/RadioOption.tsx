import type { ReactNode } from 'react'
import { classes } from '#widgets/parts/look/classes.ts'
import type { Tone } from '#widgets/parts/look/tones.ts'

interface RadioOptionProps {
  /** Name of the group: the same for all of its options and for no other group of the page. */
  name: string
  id: string
  /** It is the chosen one. */
  on: boolean
  enabled: boolean
  className: string | undefined
  choose: (id: string) => void
  /** The tone that its looks may follow while it is chosen. */
  tone?: Tone
  focusRef?: (element: HTMLElement | null) => void
  children: ReactNode
}

/** A native radio button with custom visuals, which keeps keyboard, accessible name and form behaviour. */
export function RadioOption({ name, id, on, enabled, className, choose, tone, focusRef, children }: RadioOptionProps) {
  return (
    <label className={classes('pressable', className)} data-on={on || undefined} data-tone={on ? tone : undefined}>
      <input
        ref={focusRef}
        type="radio"
        className="visually-hidden"
        name={name}
        value={id}
        checked={on}
        disabled={!enabled}
        onChange={() => choose(id)}
      />
      {children}
    </label>
  )
}
