import type { JudgeScope } from '#renderer/core/forms/form-judge.ts'
import type { Say } from '#renderer/core/resolve.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import type { Drafts } from '#renderer/forms/drafts.ts'
import type { FormField } from '#renderer/forms/form-field.ts'
import type { RowsField } from '#renderer/forms/rows-field.ts'

/** The controls on the page, as the form needs them. */
export interface FormControls {
  focus(field: FormField<unknown>): void
  /** Writes the entry of a field into its control, if that is native. */
  fillIn(field: FormField<unknown>): void
  /** Whether the focus is in the field. */
  isIn(field: FormField<unknown>): boolean
}

export interface FormWorld {
  /** The screen around the form. */
  outer: LiveScope
  say: Say
  /** Writes the figures of a message as the language does. */
  amount: JudgeScope['amount']
  drafts: Drafts | undefined
  /** Returns the key of the draft; null: it is kept nowhere, because the account is not known yet. */
  draftKey: () => string | null
  /** Told when the form begins or ceases to hold what has not been sent. */
  onDirty: (dirty: boolean) => void
  /** Wakes what stands outside of the form: `form.<field>` or `formMeta`. */
  wakeOutside: (topic: string) => void
  /** Present for a form with rows. */
  RowsField: typeof RowsField | undefined
}
