import type { OperatorInfo } from '#language/publish/operator-accounts.ts'
import { type CheckReport, type Draft, pipelineSteps } from '#language/publish/publishing.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const stepNames = ['submit', 'withdraw', 'approve', 'reject', 'publish', 'cancel', 'merge'] as const
export type StepName = (typeof stepNames)[number]
/** Why a step is closed to the operator: a key below `review.closed`. */
export type Closed =
  | 'editor'
  | 'approver'
  | 'publisher'
  | 'own'
  | 'administrator'
  | 'empty'
  | 'checking'
  | 'errors'
  | 'flows'
  | 'stale'
  | 'scheduled'
/** Steps that the draft's state allows: open to this operator, or why not. Other steps are absent. */
export type Steps = Partial<Record<StepName, 'open' | Closed>>

const sameName = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

/** Whether the operator made, changed or submitted the draft, and so may not approve it. */
export const hasHand = (me: Pick<OperatorInfo, 'name'>, draft: Pick<Draft, 'hands'>): boolean =>
  draft.hands.some((name) => sameName(name, me.name))

/** Why this operator may not approve a submitted draft, whatever the checks say; undefined where they may. */
export function mayNotApprove(me: Pick<OperatorInfo, 'name' | 'roles'>, draft: Pick<Draft, 'hands' | 'touchesMoney'>): Closed | undefined {
  if (!me.roles.includes('approver')) return 'approver'
  if (hasHand(me, draft)) return 'own'
  if (draft.touchesMoney && !me.roles.includes('administrator')) return 'administrator'
  return undefined
}

/**
 * The steps that one operator can take with a draft now.
 * @param report result of the checks of the shown content; null while they run
 */
export function stepsFor(me: OperatorInfo, draft: Draft, report: CheckReport | null): Steps {
  const may = (role: OperatorInfo['roles'][number]) => me.roles.includes(role)
  const { state, stale } = draft
  if (state === 'published' || state === 'dropped') return {}
  const scheduled = draft.schedule?.state === 'waiting'
  const checked: Closed | undefined = !report ? 'checking' : !report.ok || report.hash === null ? 'errors' : undefined
  const steps: Steps = {}
  if (stale && may('editor')) steps.merge = 'open'
  if (state === 'open') {
    steps.submit = !may('editor') ? 'editor' : draft.paths.length === 0 ? 'empty' : stale ? 'stale' : (checked ?? 'open')
    return steps
  }
  steps.withdraw = !may('editor') ? 'editor' : scheduled ? 'scheduled' : 'open'
  steps.reject = !may('approver') ? 'approver' : scheduled ? 'scheduled' : 'open'
  if (state === 'submitted') {
    const failed = report?.flows?.state === 'failed' && report.flows.hash === report.hash
    steps.approve = mayNotApprove(me, draft) ?? (stale ? 'stale' : (checked ?? (failed ? 'flows' : 'open')))
  } else if (scheduled) steps.cancel = may('publisher') ? 'open' : 'publisher'
  else steps.publish = !may('publisher') ? 'publisher' : stale ? 'stale' : 'open'
  return steps
}

type StepState = 'passed' | 'warned' | 'failed' | 'open'
interface StepReport {
  step: (typeof pipelineSteps)[number]
  /** `open`: the step has not run. */
  state: StepState
  problems: LintProblem[]
}

/** Checks of names and types; all other checks belong to lint. */
const typeChecks = new Set(['paths', 'operands', 'props', 'expressions', 'widgets', 'slots', 'calls', 'fields', 'values', 'types'])

/** The report by step of the pipeline. Steps after a failed one have not run. */
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
