import type { Computed } from '#language/documents.ts'

/** What a build of the app can show. */
export interface Shows {
  /** Version of the language. */
  format: number
  /** `type@major` */
  widgets: readonly string[]
  /** Absent: everything that `format` has. */
  operators?: readonly string[]
  steps?: readonly string[]
}

const within = (needed: readonly string[], offered: readonly string[] | undefined) =>
  offered === undefined || needed.every((name) => offered.includes(name))

/** Whether a build can show a document. */
export function covers(build: Shows, requires: Computed['requires']): boolean {
  return (
    requires.format <= build.format &&
    within(requires.widgets, build.widgets) &&
    within(requires.operators, build.operators) &&
    within(requires.steps, build.steps)
  )
}
