import { createGate, type GateOptions } from '#renderer/engine/gate.ts'
import { createProblems, type ProblemOptions } from '#renderer/engine/problems.ts'
import type { Gate, Problems } from '#renderer/engine/types.ts'

export interface Guards {
  gate: Gate
  problems: Problems
}

export type GuardOptions = GateOptions & Omit<ProblemOptions, 'gate'>

/** Gate and problems in one chunk: what turns people away and what says so are needed together. */
export function createGuards(options: GuardOptions): Guards {
  const gate = createGate(options)
  return { gate, problems: createProblems({ ...options, gate }) }
}
