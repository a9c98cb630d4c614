import type { ReactNode } from 'react'
import { type Control, useFieldArray } from 'react-hook-form'
import type { FormField } from '#renderer/forms/form-field.ts'
import type { RowsField } from '#renderer/forms/rows-field.ts'
import { useField } from '#renderer/react/forms/field.ts'
import type { FormPart } from '#renderer/react/forms/formPart.ts'
import type { View } from '#renderer/react/view.ts'

/** The part of a form that stands behind a field of type rows. */
interface RowsOfField {
  field: RowsField<View>
  form: FormPart
}

/** The rows of a field, as its widget draws them. */
export interface RowsHandle {
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  add(): void
  remove(index: number): void
  move(from: number, to: number): void
  /** Puts the focus on the first field of a row. */
  focus(index: number): void
}

/** The rows of the field around: react-hook-form keeps their entries and identities, and the form judges their fields. */
export function useRows(): RowsHandle {
  const part = useField().rows as RowsOfField | undefined
  if (!part) throw new Error('this field has no rows')
  const { field, form } = part
  const name = field.path
  const control = form.control as unknown as Control<Record<string, Record<string, unknown>[]>>
  const list = useFieldArray({ control, name, keyName: '#row' })
  const { rows } = field
  return {
    rows: list.fields.map((entry, index) => ({
      key: entry['#row'],
      cells: (rows[index]?.cells ?? []).map((cell) => form.draw(cell as FormField<View>)),
    })),
    add: () =>
      field.arrange(
        () => list.append(field.newRow(), { shouldFocus: false }),
        () => undefined,
      ),
    remove: (index) =>
      field.arrange(
        () => list.remove(index),
        (before) => void before.splice(index, 1),
      ),
    move: (from, to) =>
      field.arrange(
        () => list.move(from, to),
        (before) => void before.splice(to, 0, ...before.splice(from, 1)),
      ),
    focus(index) {
      const first = field.rows[index]?.cells.find((cell) => cell.shown())
      if (first) form.focus(first)
    },
  }
}
