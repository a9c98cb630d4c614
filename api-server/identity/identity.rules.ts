import type { identityStates, idTypes } from '#contract/calls/identity.calls.ts'
import type { ProblemCode } from '#contract/problem.ts'

export type IdType = (typeof idTypes)[number]
export type Level = 1 | 2
export type IdentityState = (typeof identityStates)[number]
export const levels: readonly Level[] = [1, 2]

export const personLimits = { nameMin: 2, nameMax: 80, numberMin: 5, numberMax: 24, noteMax: 300 } as const

/** Letters of any script with their marks; blanks and the signs that names have stand between. */
const namePattern = /^\p{L}[\p{L}\p{M}]*(?:[ .,'’·・-]{1,2}[\p{L}\p{M}]+)*\.?$/u

/** The name as it is stored, or undefined. Characters are code points. */
export function personName(text: string): string | undefined {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ')
  const length = [...name].length
  return length >= personLimits.nameMin && length <= personLimits.nameMax && namePattern.test(name) ? name : undefined
}

/** What a document's number may look like. Numbers of other countries are not checked in full: a person looks at the document. */
const numberPatterns: Readonly<Record<IdType, RegExp>> = {
  id_card: /^[\p{L}\p{N}]{5,24}$/u,
  passport: /^[A-Z0-9]{5,12}$/,
  driver_licence: /^[\p{L}\p{N}]{5,24}$/u,
}

/** The number as it is stored: capitals, without the signs that stand between; or undefined. */
export function documentNumber(type: IdType, text: string): string | undefined {
  const number = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\-./()]/g, '')
  return numberPatterns[type].test(number) && /\p{N}/u.test(number) ? number : undefined
}

/** A*** */
export const maskName = (name: string): string => (name ? `${[...name][0]}***` : '')
/** 3****24: its length is not told. */
export const maskDocument = (number: string): string => {
  const signs = [...number]
  return signs.length < personLimits.numberMin ? (number ? '****' : '') : `${signs[0]}****${signs.slice(-2).join('')}`
}

/** Whether a document has something on its other side that is asked for. */
export const hasReverse = (type: IdType): boolean => type !== 'passport'

export interface Submission {
  /** That is asked for. */
  asked: Level
  /** That the customer has. */
  level: number
  /** Of the level that is asked for. */
  state: IdentityState
  emailBound: boolean
  mobileBound: boolean
}

/** What becomes of a proof that is sent; the first that applies. */
export function submitted({
  asked,
  level,
  state,
  emailBound,
  mobileBound,
}: Submission): 'taken' | Extract<ProblemCode, 'state_wrong' | 'level_missing' | 'contacts_unbound'> {
  if (level >= asked || state === 'reviewing' || state === 'passed') return 'state_wrong'
  if (asked === 2 && level < 1) return 'level_missing'
  return asked === 2 && !(emailBound && mobileBound) ? 'contacts_unbound' : 'taken'
}

/** Which state a decision leads to; undefined: it cannot be decided. */
export function decided(state: IdentityState, decision: 'approve' | 'reject'): IdentityState | undefined {
  if (state !== 'reviewing') return undefined
  return decision === 'approve' ? 'passed' : 'failed'
}

/** State of one level: that of the newest proof, except that a level which is reached counts as passed however it was reached. */
export const stateOf = (level: Level, reached: number, newest: IdentityState | undefined): IdentityState =>
  reached >= level ? 'passed' : newest === 'passed' ? 'none' : (newest ?? 'none')
