import { useCallback, useRef } from 'react'
import { insertion, type Selected } from '#widgets/parts/fields/number.rules.ts'

type Register = (element: HTMLInputElement | null) => void

/** Remembers what an input contained, and which part of it was selected, before the browser changes it. Pastes, chips of keyboards and dictation replace that part. */
export function useInsertion(register: Register) {
  const held = useRef<{ selected?: Selected; composing?: { last: string; isPiece: boolean } }>({})
  const ref = useCallback(
    (element: HTMLInputElement | null) => {
      register(element)
      if (!element) return
      const note = () => {
        const { value, selectionStart, selectionEnd } = element
        held.current.selected = { text: value, from: selectionStart ?? value.length, to: selectionEnd ?? value.length }
      }
      const before = () => {
        if (!held.current.composing) note()
      }
      const start = () => {
        note()
        held.current.composing = { last: element.value, isPiece: false }
      }
      element.addEventListener('beforeinput', before)
      element.addEventListener('compositionstart', start)
      return () => {
        element.removeEventListener('beforeinput', before)
        element.removeEventListener('compositionstart', start)
        register(null)
      }
    },
    [register],
  )
  return {
    ref,
    /** Before the last change, or before the running composition. */
    selected: () => held.current.selected,
    /** Hears each form of a composition: one that grows by more than a character is a word that was chosen or spoken. */
    compose(text: string) {
      const { composing } = held.current
      if (!composing) return
      if ([...insertion(composing.last, text).piece].length > 1) composing.isPiece = true
      composing.last = text
    },
    /** Ends a composition that left `after`. @returns the piece that came in where more than a character came in at once */
    composed(after: string) {
      const { composing, selected } = held.current
      held.current.composing = undefined
      return composing?.isPiece && selected ? insertion(selected.text, after, selected) : undefined
    },
  }
}
