import type { GuardOptions, Guards } from '#renderer/actions/late-guards.ts'
import { createProblems } from '#renderer/engine/problems.ts'
import { createGate } from '#renderer/session/session-gate.ts'

/** Gate and problems in one chunk: what turns people away and what says so are needed together. */
export function createGuards(options: GuardOptions): Guards {
  const gate = createGate(options)
  return { gate, problems: createProblems({ ...options, gate }) }
}
