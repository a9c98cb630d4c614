import { lineOf, outline } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/**
 * Lint knows words and not how their files are written, so what it says of them stands on line 1. This puts it on the line of the key; a key
 * that is missing stays on line 1.
 * @param textOf text of a file below locales/, or undefined
 */
export function withTextLines(problems: readonly LintProblem[], textOf: (file: string) => string | undefined): LintProblem[] {
  const known = new Map<string, ReadonlyMap<string, number>>()
  return problems.map((problem) => {
    const text = problem.file.startsWith('locales/') ? textOf(problem.file) : undefined
    if (text === undefined) return problem
    const lines = known.get(problem.file) ?? outline(text).lines
    known.set(problem.file, lines)
    return { ...problem, line: lineOf(lines, problem.pointer) }
  })
}
