import { limits } from '#language/documents/limits.ts'
import type { Path, Scope } from '#language/expression/scope.ts'

/** What an evaluation may not pass: operations, characters of a text, members of a list. */
export type StopReason = 'steps' | 'text' | 'items'

class Stop extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(reason)
    this.reason = reason
  }
}
const stops = { steps: new Stop('steps'), text: new Stop('text'), items: new Stop('items') }

/** One evaluation in progress. */
interface Run {
  scope: Scope
  paths: readonly Path[]
  missing: string[]
  /** What was missing before each `present` that is being computed. */
  missingBefore: string[][]
  stepsLeft: number
}

const idle: Run = { scope: { get: () => undefined }, paths: [], missing: [], missingBefore: [], stepsLeft: 0 }
let current = idle

/** The evaluation that the operators serve at this moment. Evaluation is synchronous, so there is one. */
export function running(): Run {
  return current
}

/** What a run that ended early answers; the rest is answered by `done`. */
export interface Ended {
  value: unknown
  missing: readonly string[]
  stopped?: StopReason
}
const none: readonly string[] = []

/** Runs `work` with a fresh budget. Whatever it throws becomes an answer: a stop, or missing everything in `onFailure`. */
export function within(scope: Scope, paths: readonly Path[], onFailure: readonly string[], work: () => unknown): Ended {
  const before = current
  const mine: Run = { scope, paths, missing: [], missingBefore: [], stepsLeft: limits.expressionStepsMax }
  current = mine
  try {
    const value = work()
    return { value, missing: mine.missing.length === 0 ? none : mine.missing }
  } catch (problem) {
    if (problem instanceof Stop) return { value: undefined, missing: mine.missing, stopped: problem.reason }
    return { value: undefined, missing: onFailure }
  } finally {
    current = before
  }
}

/** Takes steps from the budget. @throws when it is used up */
export function charge(steps: number): void {
  current.stepsLeft -= steps
  if (current.stepsLeft < 0) throw stops.steps
}

/** Answers a text that is short enough. @throws otherwise */
export function boundedText(text: string): string {
  if (text.length > limits.expressionTextMax) throw stops.text
  return text
}

/** Answers rows that are few enough, and takes a step for every 8 of them. @throws otherwise */
export function boundedRows(list: readonly unknown[], max: number = limits.repeatItemsMax): readonly unknown[] {
  if (list.length > max) throw stops.items
  charge(list.length >> 3)
  return list
}

/** Remembers that a path had no value. */
export function noteMissing(path: string): void {
  if (!current.missing.includes(path)) current.missing.push(path)
}

/** From here on, what is missing is noted apart, until `isPresent`. */
export function missingApart(): void {
  current.missingBefore.push(current.missing)
  current.missing = []
}

/** Whether a value is there and nothing that was read for it was missing. What was missing is forgotten. */
export function isPresent(value: unknown): boolean {
  const isWhole = current.missing.length === 0
  current.missing = current.missingBefore.pop() ?? []
  return isWhole && value !== undefined && value !== null
}
