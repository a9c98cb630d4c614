import type { GuardOptions, Guards } from '#renderer/io/late-guards.ts'
import { createProblems } from '#renderer/io/problems.ts'
import { createGate } from '#renderer/io/session-gate.ts'

/** Gate and problems in one chunk: what turns people away and what says so are needed together. */
export function createGuards(options: GuardOptions): Guards {
  const gate = createGate(options)
  return { gate, problems: createProblems({ ...options, gate }) }
}
