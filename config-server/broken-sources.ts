import { showProblem } from '#config-server/check.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Documents and texts that may not be published. The message lists every problem, one a line. */
export class BrokenSources extends Error {
  readonly problems: readonly LintProblem[]
  constructor(problems: readonly LintProblem[]) {
    super(
      `${problems.length} ${problems.length === 1 ? 'problem keeps' : 'problems keep'} these documents from being published:\n${problems.map(showProblem).join('\n')}`,
    )
    this.name = 'BrokenSources'
    this.problems = problems
  }
}
