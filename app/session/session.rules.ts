import type { CallOutput } from '#contract/contract.ts'

/** The account of the session, as answered by user.info. */
export type User = CallOutput<'user.info'>

const membersMax = 60
const textLengthMax = 2_000

/** Reads an account from an answer or from storage; undefined when it is not one. Only primitive members are accepted. */
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
