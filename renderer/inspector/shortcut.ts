/** Keys that switch the inspector on and off: Ctrl, Alt and I. */
export const isShortcut = ({ ctrlKey, altKey, code }: Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'code'>): boolean =>
  ctrlKey && altKey && code === 'KeyI'
