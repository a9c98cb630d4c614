import type { Role } from '#language/publish/publishing.ts'

/** Who operates the console, and what only administrators see: bodies of /console/api, as JSON. Times are ms since 1970 (UTC). */

/** Who is logged in to the console. */
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
  /** Until when what moves a pointer needs no new proof of who one is. */
  freshUntil: number
  /** Of a login `as: token`, once: what to send as Authorization: Bearer, and until when it may count. */
  token?: string
  expiresAt?: number
}
/** Answer where a set-up link is made: POST /console/api/operators and …/:id/reset. It is told once. */
export interface SetupLink {
  operator: OperatorInfo
  link: string
  expiresAt: number
}
/** Answer of GET /console/api/setup: whether nobody has set up the console yet. */
export interface SetupState {
  needed: boolean
}
/**
 * Answer of POST /console/api/setup. With the link's token alone: what the link is for. With name and password beside it: also the secret
 * of the second factor, as base32 and as otpauth address, which waits for its first code.
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
/** Answer of POST /console/api/factor: a second factor that waits for its first code. */
export interface FactorProposal {
  secret: string
  uri: string
}
/** Answer of POST /console/api/recovery, told once. */
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

/** A message to a customer, as GET /console/api/outbox shows it. */
/** A message to a customer as it stands in the list. */
export interface OutboxRow {
  id: number
  channel: 'mail' | 'sms'
  /** Masked. */
  to: string
  /** code:<scene> or notice:<what>. */
  kind: string
  status: 'waiting' | 'sending' | 'sent' | 'dropped' | 'failed' | 'expired'
  /** False where the text is gone, which it is once the message was sent. */
  readable: boolean
  created: number
}
/** The same in full, after a reason was given. */
export interface OutboxMessage extends OutboxRow {
  address: string
  subject: string
  text: string
  code: string | null
}
export interface OutboxPage {
  rows: OutboxRow[]
  /** What to give as `before` for the next page; null at the end. */
  before: number | null
}
