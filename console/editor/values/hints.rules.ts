import type { PathHint } from '#console/editor/values/paths.rules.ts'
import { operators } from '#language/expression/operators.ts'
import { reference } from '#language/expression/reference.ts'

const written = ['var', 'and', 'or', 'present', 'outer']
const calls = Object.keys(operators).filter((op) => /^[a-z]{2,}$/i.test(op) && !written.includes(op))

/** The path or name that is being typed at the end of a part of an expression; empty where a new one begins. */
export const wordBefore = (text: string): string => /[\w.[\]-]*$/.exec(text)?.[0] ?? ''

/** What may go on from a word of an expression: paths and functions of the domain, then operators. */
export function hintsFor(word: string, paths: readonly PathHint[]): PathHint[] {
  return [
    ...paths.filter(({ path }) => path.startsWith(word) && path !== word),
    ...calls.filter((op) => op.startsWith(word) && op !== word).map((op) => ({ path: `${op}(`, type: reference[op]?.takes ?? '' })),
  ]
}
