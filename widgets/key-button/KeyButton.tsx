import { useEffectEvent, useLayoutEffect } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/key-button/KeyButton.module.css'
import type { KeyButtonProps } from '#widgets/key-button/key-button.props.ts'
import { presses } from '#widgets/key-button/press.rules.ts'
import { PushButton } from '#widgets/parts/PushButton.tsx'

const takesText = (element: Element | null) =>
  element instanceof HTMLElement && (element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName))

/** A button with a keyboard shortcut, which it shows on devices with a keyboard. */
export function KeyButton({ root, props, emit, busy, enabled }: ViewProps<KeyButtonProps, 'press'>) {
  // The button may be rendered before its props are loaded.
  const { hotkey = '', ...button } = props
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (busy || !enabled) return
    const covered = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
    if (!presses(event, hotkey, { typing: takesText(document.activeElement), covered })) return
    event.preventDefault()
    emit('press')
  })
  // Registered before the paint, so that the shortcut works as soon as it is visible.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <div {...root} className={styles.box} data-tone={props.tone} data-off={!enabled || undefined}>
      <PushButton
        {...button}
        root={{ 'aria-keyshortcuts': hotkey.toUpperCase() }}
        busy={busy}
        enabled={enabled}
        onPress={() => emit('press')}
      />
      <span className={styles.key} aria-hidden="true">
        {hotkey.toUpperCase()}
      </span>
    </div>
  )
}
