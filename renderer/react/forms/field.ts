import { type ChangeEvent, createContext, type FocusEvent, useContext } from 'react'

/** The message below a field. `error` stops the form, `warn` wants a tick, `info` only informs. */
export interface FieldProblem {
  level: 'error' | 'warn' | 'info'
  text: string
}

/** The props that a form gives the widget of a field, beside those from the document (`given` of language/documents/walk.ts). */
export interface FieldGiven {
  options?: readonly { id: string; label: string; note?: string }[]
  min?: string | number
  max?: string | number
  step?: string | number
  maxLength?: number
}

/** Spread on a native input or select: it stays uncontrolled, so that a key draws nothing but the browser's own. */
export interface NativeField {
  id: string
  name: string
  ref: (element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null) => void
  defaultValue: string
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
  onBlur: (event: FocusEvent<HTMLElement>) => void
  disabled: boolean
  'aria-required': boolean | undefined
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** The part of a form that a field's widget can use. A new object only when something to draw changed. */
export interface FieldHandle {
  /** Name in the form document; `id` of the control and of what describes it: `${id}-hint`, `${id}-problem`. */
  name: string
  id: string
  label: string
  hint: string | undefined
  required: boolean
  enabled: boolean
  problem: FieldProblem | undefined
  /** The tick under a warning: shown while `problem.level` is warn. */
  accepted: boolean
  accept: (yes: boolean) => void
  native: NativeField
  /** Focuses the control when the form asks; widgets without a native input register their own element. */
  focusRef: (element: HTMLElement | null) => void
  /** The value now, without subscribing. */
  get: () => unknown
  /** Writes the value of a control that is not native, and judges it as typing would. */
  set: (value: unknown) => void
  blur: () => void
  /** Of a field of type rows; only `useRows` reads it. */
  rows?: unknown
}

export const FieldContext = createContext<FieldHandle | undefined>(undefined)

/** The field that a field widget stands for. It draws again when something of the field to draw has changed, and only then. */
export function useField(): FieldHandle {
  const field = useContext(FieldContext)
  if (!field) throw new Error('no form around this field')
  return field
}
