import { useEffect } from 'react'

const tabMs = 300

/**
 * The app in the preview moves the focus when it opens a page, as it should for customers. While somebody types in the editor, the focus returns
 * to the editor, unless a person moved it into the frame by pointer or Tab.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    let last: Element | null = document.activeElement
    let tabbedAt = 0
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.tagName !== 'IFRAME') last = target
    }
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (key === 'Tab') tabbedAt = timeStamp
    }
    const onBlur = ({ timeStamp }: FocusEvent) => {
      const frame = document.activeElement
      if (frame?.tagName !== 'IFRAME' || frame.matches(':hover') || timeStamp - tabbedAt < tabMs) return
      const back = last
      // Waits until the frame has moved the focus, which would take it otherwise.
      setTimeout(() => {
        window.focus()
        if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus({ preventScroll: true })
      })
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey, true)
    window.addEventListener('blur', onBlur)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey, true)
      window.removeEventListener('blur', onBlur)
    }
  }, [])
}
