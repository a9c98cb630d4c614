/**
 * The names that documents need from a build and that builds offer, by kind of name:
 * - `widgets` `type@major` · `props` `button.tone`, `tabs.items.label` · `operators` operators and functions · `words` literal words of
 * operators, `format.rate`, `match.email` · `steps` kinds of steps, and later parts of the language (features.ts) · `fields` types of
 * fields · `outcomes` members of an outcome
 */
export const needs = ['widgets', 'props', 'operators', 'words', 'steps', 'fields', 'outcomes'] as const
export type Need = (typeof needs)[number]

type Names = { [name in Need]?: readonly string[] }

/** The names that a build of the app can show. An absent kind of name means everything that `format` has. */
export interface Shows extends Names {
  /** Version of the language. */
  format: number
  widgets: readonly string[]
}

/**
 * The names that a document needs. An absent kind of name means nothing, or that the document was published before that kind was recorded.
 */
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
