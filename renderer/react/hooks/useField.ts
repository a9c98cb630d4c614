import { createContext, useContext } from 'react'
import type { FieldHandle } from '#renderer/react/forms/field.ts'

export const FieldContext = createContext<FieldHandle | undefined>(undefined)

/** The field that a field widget stands for. It draws again when something of the field to draw has changed, and only then. */
export function useField(): FieldHandle {
  const field = useContext(FieldContext)
  if (!field) throw new Error('no form around this field')
  return field
}
