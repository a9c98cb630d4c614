import type { CallOutput } from '#contract/contract.ts'

/** The account of the session, as user.info answers it. */
export type User = CallOutput<'user.info'>

const membersMax = 60
const textLengthMax = 2_000

/** An account out of an answer or out of storage; undefined when it is none. Only plain members, so that nothing odd reaches a screen. */
export function userOf(value: unknown): User | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { uid, level, nickname } = value as Partial<User>
  const whole = Number.isSafeInteger(uid) && Number(uid) > 0 && (level === 0 || level === 1 || level === 2) && typeof nickname === 'string'
  const members = Object.entries(value)
  return whole && members.length <= membersMax && members.every(([, part]) => plain(part)) ? (value as User) : undefined
}

function plain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= textLengthMax
  return value === null || typeof value === 'boolean' || Number.isFinite(value)
}
