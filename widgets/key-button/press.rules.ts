/** The used part of a keyboard event. */
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
 * Whether a key triggers the button.
 * @param typing a text input has the focus
 * @param covered a dialog covers the screen
 */
export function presses(pressed: PressedKey, wanted: string, { typing, covered }: { typing: boolean; covered: boolean }): boolean {
  const { key, repeat, altKey, ctrlKey, metaKey, defaultPrevented, isComposing } = pressed
  if (repeat || altKey || ctrlKey || metaKey || defaultPrevented || isComposing || typing || covered) return false
  return key.toLowerCase() === wanted
}
