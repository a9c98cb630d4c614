import { limits } from '#language/documents/limits.ts'
import type { Path, Scope } from '#language/expression/scope.ts'

/** Limits of an evaluation: operations, characters of a text, members of a list. */
export type StopReason = 'steps' | 'text' | 'items'

class Stop extends Error {
  readonly reason: StopReason
  constructor(reason: StopReason) {
    super(reason)
    this.reason = reason
  }
}
const stops = { steps: new Stop('steps'), text: new Stop('text'), items: new Stop('items') }

/** State of a running evaluation. */
interface Run {
  scope: Scope
  paths: readonly Path[]
  missing: string[]
  /** For each `present` being computed, the paths that were missing before it. */
  missingBefore: string[][]
  stepsLeft: number
}

const idle: Run = { scope: { get: () => undefined }, paths: [], missing: [], missingBefore: [], stepsLeft: 0 }
let current = idle

/** The running evaluation. Evaluation is synchronous, so there is only one. */
export function running(): Run {
  return current
}

/** Result of an evaluation that ended early; otherwise `done`. */
export interface Ended {
  value: unknown
  missing: readonly string[]
  stopped?: StopReason
}
const none: readonly string[] = []

/** Runs `work` with a fresh budget. An error becomes a result: a stop, or `onFailure` as missing paths. */
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

/** Uses up steps of the budget. @throws when it is used up */
export function charge(steps: number): void {
  current.stepsLeft -= steps
  if (current.stepsLeft < 0) throw stops.steps
}

/** Returns a text within the limit. @throws otherwise */
export function boundedText(text: string): string {
  if (text.length > limits.expressionTextMax) throw stops.text
  return text
}

/** Returns rows within the limit, and charges a step for every 8 of them. @throws otherwise */
export function boundedRows(list: readonly unknown[], max: number = limits.repeatItemsMax): readonly unknown[] {
  if (list.length > max) throw stops.items
  charge(list.length >> 3)
  return list
}

/** Ends the evaluation for a reason that has ended a part of it. */
export function halt(reason: StopReason): never {
  throw stops[reason]
}

/** Records a path without a value. */
export function noteMissing(path: string): void {
  if (!current.missing.includes(path)) current.missing.push(path)
}

/** Records missing paths separately from here on, until `isPresent`. */
export function missingApart(): void {
  current.missingBefore.push(current.missing)
  current.missing = []
}

/** Whether a value exists and no value read for it was missing. Discards the missing paths of this part. */
export function isPresent(value: unknown): boolean {
  const isWhole = current.missing.length === 0
  current.missing = current.missingBefore.pop() ?? []
  return isWhole && value !== undefined && value !== null
}
