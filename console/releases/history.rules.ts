import type { DraftStep } from '#language/publish/publishing.ts'

/** Steps of a draft that have words of their own below `review.history.did_`. */
const told = {
  'draft.create': 'create',
  'draft.import': 'import',
  'draft.rename': 'rename',
  'draft.submit': 'submit',
  'draft.withdraw': 'withdraw',
  'draft.approve': 'approve',
  'draft.reject': 'reject',
  'draft.merge': 'merge',
  'draft.comment': 'comment',
  'draft.schedule': 'schedule',
  'draft.drop': 'drop',
  'schedule.cancel': 'cancel',
  'schedule.refused': 'refused',
} as const

/** The word for what was done; undefined for a step that has none, which is shown by its name in the log. */
export const wordOf = (action: string): string | undefined => (Object.hasOwn(told, action) ? told[action as keyof typeof told] : undefined)

/** What a reviewer must know before they decide. */
export interface ReviewNotes {
  /** The last submission, where its author left a note. */
  note: DraftStep | undefined
  /** The last time it was sent back, also after it was submitted again. */
  refusal: DraftStep | undefined
}

/** @param steps of one draft, the newest first */
export function notesOf(steps: readonly DraftStep[]): ReviewNotes {
  const submission = steps.find(({ action }) => action === 'draft.submit')
  return {
    note: submission?.reason ? submission : undefined,
    refusal: steps.find(({ action }) => action === 'draft.reject'),
  }
}
