import type { DraftStep, GuardMetrics, ReleaseInfo } from '#language/publish/publishing.ts'

/**
 * Returns the name that is shown as the author of a release. A rollback has the content of an earlier release, whose author did nothing
 * now, so it names the operator who rolled back.
 */
export const madeBy = ({ kind, author, publisher }: Pick<ReleaseInfo, 'kind' | 'author' | 'publisher'>): string =>
  kind === 'rollback' ? publisher : author

/**
 * Releases that the guard stopped and that no later release has replaced, the newest first. They need attention.
 * @param releases in any order
 */
export function alarmsOf(releases: readonly ReleaseInfo[]): ReleaseInfo[] {
  const replacedBy = Math.max(
    0,
    ...releases.filter(({ kind, state }) => kind === 'publish' && state !== 'stopped').map(({ number }) => number),
  )
  return releases
    .filter(({ number, state, stop }) => state === 'stopped' && stop?.automatic === true && number > replacedBy)
    .sort((a, b) => b.number - a.number)
}

const reasons = ['error_rate', 'failure_rate', 'latency'] as const

/** The limit that a release broke, from a reason `<code>: words`; undefined for a reason that a person wrote. */
export const limitOf = (reason: string): (typeof reasons)[number] | undefined => reasons.find((code) => reason.startsWith(`${code}:`))

/** Steps of a draft that have a text below `review.history.did_`. */
const words = {
  'draft.create': 'create',
  'draft.import': 'import',
  'draft.rename': 'rename',
  'draft.submit': 'submit',
  'draft.withdraw': 'withdraw',
  'draft.approve': 'approve',
  'draft.reject': 'reject',
  'draft.merge': 'merge',
  'draft.migrate': 'migrate',
  'draft.comment': 'comment',
  'draft.schedule': 'schedule',
  'draft.drop': 'drop',
  'schedule.cancel': 'cancel',
  'schedule.refused': 'refused',
} as const

/** The text key of a step; undefined for a step without one, which is shown by its name in the audit log. */
export const wordOf = (action: string): string | undefined =>
  Object.hasOwn(words, action) ? words[action as keyof typeof words] : undefined

/** The facts that a reviewer must know before the decision. */
interface ReviewNotes {
  /** The last submission, if its author left a note. */
  note: DraftStep | undefined
  /** The last refusal, even after a later submission. */
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

/** The verdict that is shown for a release. A release of which no client has shown a screen is `unseen`, not healthy. */
export const verdictOf = ({ verdict, shown }: Pick<GuardMetrics, 'verdict' | 'shown'>): GuardMetrics['verdict'] | 'unseen' =>
  verdict === 'healthy' && shown === 0 ? 'unseen' : verdict

/**
 * SVG path of a line chart in a box of 100 × 40. Missing values leave a gap.
 * @param max value at the top; larger values are clamped
 */
export function linePath(values: readonly (number | null)[], max: number): string {
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  let path = ''
  let pen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      pen = false
      continue
    }
    const x = values.length > 1 ? index * step : 0
    const y = heightOf(value, max)
    path += `${pen ? 'L' : 'M'}${round(x)} ${round(y)}`
    if (values.length === 1) path += `L100 ${round(y)}`
    pen = true
  }
  return path
}

/** Height of a value in a box of 40, with a margin of 2 at both ends so that the line is not cut. */
export function heightOf(value: number, max: number): number {
  return 38 - 36 * Math.min(Math.max(max > 0 ? value / max : 0, 0), 1)
}
const round = (value: number) => Math.round(value * 100) / 100
