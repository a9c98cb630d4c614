import type { CallOutput } from '#contract/contract.ts'
import type { RouteDoc } from '#language/documents/documents.ts'

/** The account of the session, as user.info answers it. */
export type User = CallOutput<'user.info'>

/**
 * What a page asks of who opens it, in order of precedence.
 * `wait`: the level decides and is being asked for · `verify`: the identity is not proved far enough.
 */
export type Entry = 'open' | 'login' | 'wait' | 'verify'

export interface Visitor {
  loggedIn: boolean
  /** Undefined while nobody knows. */
  level: number | undefined
  /** The level is on its way. */
  asking: boolean
}

/** Whether a page may be shown. A level that cannot be had keeps nobody out: the server judges each call anyway. */
export function entryOf(route: Pick<RouteDoc, 'auth' | 'kyc'>, { loggedIn, level, asking }: Visitor): Entry {
  if (!route.auth && !route.kyc) return 'open'
  if (!loggedIn) return 'login'
  if (!route.kyc) return 'open'
  if (level === undefined) return asking ? 'wait' : 'open'
  return level < route.kyc ? 'verify' : 'open'
}

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

/** Path of an address inside the hash: `/a/b?c=1` → `a/b`. */
export function pathOf(address: string): string {
  return (address.split('?', 1)[0] ?? '').replace(/^\/+|\/+$/g, '')
}
