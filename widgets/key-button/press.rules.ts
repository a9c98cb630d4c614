/** What is read of a key that was pressed. */
export interface PressedKey {
  key: string
  repeat: boolean
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  defaultPrevented: boolean
  isComposing: boolean
}

/**
 * Whether the key presses the button that waits for it.
 * @param typing something that takes text has the focus; @param covered a dialog stands over the screen
 */
export function presses(pressed: PressedKey, wanted: string, { typing, covered }: { typing: boolean; covered: boolean }): boolean {
  const { key, repeat, altKey, ctrlKey, metaKey, defaultPrevented, isComposing } = pressed
  if (repeat || altKey || ctrlKey || metaKey || defaultPrevented || isComposing || typing || covered) return false
  return key.toLowerCase() === wanted
}
