import type { OperatorStore } from '#config-server/operators/operator.store.ts'
import type { OperatorSessionStore } from '#config-server/operators/session.store.ts'
import type { ConsoleAction } from '#contract/console/console.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { OperatorInfo } from '#language/publish/operator-accounts.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { Hasher } from '#server-kit/security/hasher.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'
import type { Tries } from '#server-kit/security/tries.ts'

/** Types that the parts of operators' accounts (login, set-up, credentials) share. */

/** The entry that is written to the log for everything that operators do. */
export interface AuditEntry {
  /** Name of the operator, or `nobody`. */
  actor: string
  action: ConsoleAction
  subject: string
  reason?: string
  detail?: Record<string, unknown>
}
/** Adds a row: within the change that it records, as its last statement, or without `tx` by itself. */
export type Audit = (entry: AuditEntry, tx?: Tx) => Promise<void>

export interface OperatorsDeps {
  /** With operators.migration.ts applied. */
  database: Database
  clock: Clock
  log: Log
  secrets: Secrets
  audit: Audit
}

/** The session of a logged-in operator. */
export interface Session {
  id: string
  operator: OperatorInfo
  /** ms UTC. */
  freshUntil: number
}
export interface OpenedSession extends Session {
  token: string
  expiresAt: number
}
/** A set-up link as it is shown once; its token is nowhere kept in clear. */
export interface MadeLink {
  operator: OperatorInfo
  token: string
  expiresAt: number
}

export interface OperatorsContext extends OperatorsDeps {
  store: OperatorStore
  tries: Tries
  sessions: OperatorSessionStore
  hasher: Hasher
}
/** The proof of an operator's identity: both together, always. */
export interface Proof {
  password: string
  /** Of the second factor, or a recovery code. */
  code: string
}
/** A session that was opened inside of a change. */
export interface Opened {
  id: string
  token: string
  operatorId: number
  expiresAt: number
  freshUntil: number
}

/** Counts a try before it is made. @throws ApiProblem locked */
export async function takeTurn({ tries, clock }: Pick<OperatorsContext, 'tries' | 'clock'>, subject: string): Promise<void> {
  const waitMs = await tries.take(subject, clock.now())
  if (waitMs) throw new ApiProblem('locked', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}

/** @param program see OperatorSessionRow; false unless given */
export type Open = (tx: Tx, operator: number, agent: string, program?: boolean) => Promise<Opened>
