import { useReducer } from 'react'
import type { FieldHandle } from '#renderer/widget-api.ts'

/** Sets the value of a native control as if it had been typed. Returns the control, so that it can be focused. */
export function fill(field: FieldHandle, text: string): HTMLInputElement | null {
  const control = document.getElementById(field.id) as HTMLInputElement | null
  if (control) control.value = text
  field.set(text)
  return control
}

/** Value and setter of a control that is not native; setting the value renders the widget again. */
export function useFieldValue<T>(field: FieldHandle, read: (value: unknown) => T): [value: T, change: (next: T) => void] {
  const [, draw] = useReducer((n: number) => n + 1, 0)
  return [
    read(field.get()),
    (next) => {
      field.set(next)
      draw()
    },
  ]
}

export const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
