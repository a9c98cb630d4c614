import { type CheckReport, pipelineSteps } from '#language/publish/publishing.ts'
import type { LintProblem } from '#language/types/catalog.ts'

export type StepState = 'passed' | 'warned' | 'failed' | 'open'
export interface StepReport {
  step: (typeof pipelineSteps)[number]
  /** `open`: it has not run, or not yet. */
  state: StepState
  problems: LintProblem[]
}

/** Checks that ask whether names and types fit each other; the others are lint. */
const typeChecks = new Set(['paths', 'operands', 'props', 'expressions', 'widgets', 'slots', 'calls', 'fields', 'values', 'types'])

/** The report by step of the pipeline. What stands behind a step that failed has not run. */
export function stepsOf({ problems, reach, flows, diff, ok, hash }: CheckReport): StepReport[] {
  const of = (step: string) =>
    problems.filter(({ check }) => {
      if (check === 'parse' || check === 'texts') return step === 'parse'
      if (check === 'prepare') return step === 'prepare'
      return step === (typeChecks.has(check) ? 'types' : 'lint')
    })
  const judged = (found: readonly LintProblem[]): StepState =>
    found.some(({ severity }) => severity === 'error') ? 'failed' : found.length > 0 ? 'warned' : 'passed'
  const unread = judged(of('parse')) === 'failed'
  return pipelineSteps.map((step) => {
    const found = of(step)
    if (step === 'parse') return { step, state: judged(found), problems: found }
    if (unread) return { step, state: 'open', problems: found }
    if (step === 'types' || step === 'lint') return { step, state: judged(found), problems: found }
    if (step === 'prepare') return { step, state: ok ? 'passed' : found.length > 0 ? 'failed' : 'open', problems: found }
    if (!ok) return { step, state: 'open', problems: [] }
    if (step === 'reach') return { step, state: reach.some(({ never }) => never.length > 0) ? 'warned' : 'passed', problems: [] }
    if (step === 'diff') return { step, state: diff.length > 0 ? 'passed' : 'open', problems: [] }
    const run = flows && flows.hash === hash ? flows.state : 'not-run'
    return { step, state: run === 'passed' ? 'passed' : run === 'failed' ? 'failed' : 'open', problems: [] }
  })
}
