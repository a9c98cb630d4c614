import type { Role } from '#language/publish/publishing.ts'

/** Operators of the console, and data for administrators only: bodies of /console/api, as JSON. Times are ms since 1970 (UTC). */

/** The logged-in operator. */
export interface OperatorInfo {
  id: number
  name: string
  roles: Role[]
  frozen: boolean
  createdAt: number
  lastSeenAt: number | null
  /** False until the set-up link was used. */
  ready: boolean
}
/** Answer of GET /console/api/me. */
export interface Me {
  operator: OperatorInfo
  /** Time until which publishing needs no new confirmation of the identity. */
  freshUntil: number
  /** For a login `as: token`, once: the bearer token of the Authorization header, and its end. */
  token?: string
  expiresAt?: number
}
/** A new set-up link: answer of POST /console/api/operators and …/:id/reset. The link is shown once. */
export interface SetupLink {
  operator: OperatorInfo
  link: string
  expiresAt: number
}
/** Answer of GET /console/api/setup: whether the console still has to be set up. */
export interface SetupState {
  needed: boolean
}
/**
 * Answer of POST /console/api/setup. With the token alone: the purpose of the link. With name and password: also the secret of the second
 * factor, in base32 and as otpauth address, to be confirmed by its first code.
 */
export interface SetupAnswer {
  kind: 'first' | 'invite' | 'reset'
  /** null: the first operator chooses it. */
  name: string | null
  roles: Role[]
  secret: string | null
  uri: string | null
  expiresAt: number
}
/** Answer of POST /console/api/factor: a second factor to be confirmed by its first code. */
export interface FactorProposal {
  secret: string
  uri: string
}
/** Answer of POST /console/api/recovery; shown once. */
export interface RecoveryCodes {
  codes: string[]
}
export interface OperatorSession {
  id: string
  createdAt: number
  seenAt: number
  agent: string
  current: boolean
}
