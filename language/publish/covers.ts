/**
 * What documents need of a build and builds tell of themselves, by kind of name:
 * - `widgets` `type@major` · `props` `button.tone`, `tabs.items.label` · `operators` operators and functions · `words` fixed words of operators,
 *   `format.rate`, `match.email` · `steps` kinds of steps, and later parts of the language (features.ts) · `fields` types of fields · `outcomes` members of what answers a problem
 */
export const needs = ['widgets', 'props', 'operators', 'words', 'steps', 'fields', 'outcomes'] as const
export type Need = (typeof needs)[number]

type Names = { [name in Need]?: readonly string[] }

/** What a build of the app can show. A kind of name that is absent: everything that `format` has. */
export interface Shows extends Names {
  /** Version of the language. */
  format: number
  widgets: readonly string[]
}

/** What a document needs. A kind of name that is absent: nothing, or the document was published before that kind was told. */
export interface Requires extends Names {
  format: number
  widgets: string[]
  operators: string[]
  steps: string[]
}

/** Whether a build can show a document. */
export function covers(build: Shows, requires: Requires): boolean {
  return (
    requires.format <= build.format &&
    needs.every((need) => {
      const offered = build[need]
      return offered === undefined || (requires[need] ?? []).every((name) => offered.includes(name))
    })
  )
}
