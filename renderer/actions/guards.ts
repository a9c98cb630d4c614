import type { GuardOptions, Guards } from '#renderer/actions/late-guards.ts'
import { createGate } from '#renderer/engine/gate.ts'
import { createProblems } from '#renderer/engine/problems.ts'

/** Gate and problems in one chunk: what turns people away and what says so are needed together. */
export function createGuards(options: GuardOptions): Guards {
  const gate = createGate(options)
  return { gate, problems: createProblems({ ...options, gate }) }
}
