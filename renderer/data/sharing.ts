import { replaceEqualDeep } from '@tanstack/query-core'

/** Answers that were made of the one before: what did not change in them is the same object already. */
const patched = new WeakSet<object>()

/** Notes an answer in which everything but the changed row is the object that it was. @returns the answer */
export function patch<T extends object>(answer: T): T {
  patched.add(answer)
  return answer
}

/** For the option `structuralSharing` of a query: parts of an answer that equal those before keep their identity. Patched answers need no comparison. */
export const share = (before: unknown, answer: unknown): unknown =>
  patched.has(answer as object) ? answer : replaceEqualDeep(before, answer)
