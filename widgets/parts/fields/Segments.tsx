import { useEffect, useId, useRef } from 'react'
import type { RootProps } from '#renderer/widget-api.ts'
import { RadioOption } from '#widgets/parts/fields/RadioOption.tsx'
import styles from '#widgets/parts/fields/Segments.module.css'
import type { Tone } from '#widgets/parts/look/tones.ts'

interface SegmentsProps {
  /** Names the group; without it something around does. */
  label?: string
  options: readonly { id: string; label: string }[]
  value: string
  enabled: boolean
  choose: (id: string) => void
  /** A line that scrolls sideways. */
  scroll?: boolean
  /** Option → tone that it has while it is chosen. */
  tones?: Readonly<Record<string, Tone>>
  /** The radio button that takes the focus of the group. */
  focusRef?: (element: HTMLElement | null) => void
  root?: RootProps
}

/** Options side by side, as native radio buttons, which keep keyboard, accessible names and form behaviour. */
export function Segments({ label, options, value, enabled, choose, scroll = false, tones = {}, focusRef, root }: SegmentsProps) {
  const name = useId()
  const first = options.find(({ id }) => id === value) ?? options[0]
  const line = useRef<HTMLDivElement>(null)
  const chosen = options.findIndex(({ id }) => id === value)
  useEffect(() => {
    if (scroll) showIn(line.current, chosen)
  }, [scroll, chosen])
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a name where it has a role
    <div
      {...root}
      ref={line}
      role={label === undefined ? undefined : 'radiogroup'}
      aria-label={label}
      className={scroll ? styles.line : styles.pill}
      data-segments=""
    >
      {options.map((option) => (
        <RadioOption
          key={option.id}
          id={option.id}
          on={option.id === value}
          tone={Object.hasOwn(tones, option.id) ? tones[option.id] : undefined}
          className={styles.option}
          focusRef={option === first ? focusRef : undefined}
          name={name}
          enabled={enabled}
          choose={choose}
        >
          <span className={styles.face}>{option.label}</span>
        </RadioOption>
      ))}
    </div>
  )
}

/** Scrolls the line, and nothing around it, until the option is in sight. */
function showIn(line: HTMLElement | null, at: number): void {
  const option = line?.children[at]
  if (!line || !option) return
  const [box, own] = [line.getBoundingClientRect(), option.getBoundingClientRect()]
  if (own.left < box.left) line.scrollLeft -= box.left - own.left
  else if (own.right > box.right) line.scrollLeft += own.right - box.right
}
