import type { identityStates } from '#contract/calls/identity.calls.ts'
import { charactersOf } from '#contract/characters.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { IdType } from '#contract/rules/document.rules.ts'
import { machine } from '#contract/rules/machine.rules.ts'

export type Level = 1 | 2
export type IdentityState = (typeof identityStates)[number]
export const levels: readonly Level[] = [1, 2]

const numberMin = 5

/** Masks a name: A*** */
export const maskName = (name: string): string => (name ? `${charactersOf(name, 1)[0]}***` : '')
/** Masks a number: 3****24. The mask does not show its length. */
export const maskDocument = (number: string): string => {
  const signs = [...number]
  return signs.length < numberMin ? (number ? '****' : '') : `${signs[0]}****${signs.slice(-2).join('')}`
}

/** Whether the reverse side of a document is required. */
export const hasReverse = (type: IdType): boolean => type !== 'passport'

interface Submission {
  /** The requested level. */
  asked: Level
  /** The level that the customer has. */
  level: number
  /** State of the requested level. */
  state: IdentityState
  emailBound: boolean
  mobileBound: boolean
}

/** Decides on a submission. The first outcome that applies is returned. */
export function submitted({
  asked,
  level,
  state,
  emailBound,
  mobileBound,
}: Submission): 'taken' | Extract<ProblemCode, 'state_wrong' | 'level_missing' | 'contacts_unbound'> {
  if (level >= asked || state === 'reviewing' || state === 'passed') return 'state_wrong'
  if (asked === 2 && level < 1) return 'level_missing'
  return emailBound && mobileBound ? 'taken' : 'contacts_unbound'
}

/** Of a submission. */
export const proofMachine = machine({ reviewing: { approve: 'passed', reject: 'failed' }, failed: {}, passed: {} })

/** State of one level: that of its newest submission. A level that the customer has reached counts as passed in any case. */
export const stateOf = (level: Level, reached: number, newest: IdentityState | undefined): IdentityState =>
  reached >= level ? 'passed' : newest === 'passed' ? 'none' : (newest ?? 'none')
