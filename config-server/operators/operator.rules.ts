import { type Role, roles } from '#language/publish/publishing.ts'

export const operatorLimits = {
  nameCharactersMin: 2,
  nameCharactersMax: 60,
  operatorsMax: 500,
  sessionsMax: 10,
  idleMs: 30 * 60_000,
  absoluteMs: 12 * 3_600_000,
  /** So long after password and code what moves a pointer is open. */
  freshMs: 10 * 60_000,
  seenEveryMs: 30_000,
  linkMs: 24 * 3_600_000,
  recoveryCodes: 10,
  /** Of one code: about 59 bits. */
  recoveryCharacters: 12,
  agentCharactersMax: 120,
} as const

/** Names in the log of those who are nobody. */
const reserved = new Set(['system', 'guard', 'test', 'files', 'nobody'])
const nameForm = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} ._@-]*[\p{L}\p{N}\p{M}])?$/u

/** A name as it is kept; undefined where it is none: too short or long, other signs, or letters of two alphabets that look alike. */
export function readName(typed: string): string | undefined {
  const name = typed.normalize('NFKC').trim().replace(/\s+/g, ' ')
  const characters = [...name].length
  if (characters < operatorLimits.nameCharactersMin || characters > operatorLimits.nameCharactersMax) return undefined
  if (!nameForm.test(name) || reserved.has(nameKey(name))) return undefined
  const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((letters) => letters.test(name))
  return alphabets.length > 1 ? undefined : name
}

/** Returns the key by which two names count as the same. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Roles in their order, each once; undefined for anything else, and for none. */
export function readRoles(asked: readonly string[]): Role[] | undefined {
  const known = roles.filter((role) => asked.includes(role))
  return known.length > 0 && asked.every((role) => (roles as readonly string[]).includes(role)) ? known : undefined
}

/** The state of an operator that decides whether he may still let others in. */
export interface Standing {
  id: number
  roles: readonly Role[]
  frozen: boolean
  ready: boolean
}
const maySteer = ({ roles, frozen, ready }: Standing) => ready && !frozen && roles.includes('administrator')

/** True when after the change nobody would be left who may let others in, while before there was somebody. */
export function locksOut(all: readonly Standing[], change: Partial<Standing> & { id: number }): boolean {
  const after = all.map((one) => (one.id === change.id ? { ...one, ...change } : one))
  return all.some(maySteer) && !after.some(maySteer)
}
