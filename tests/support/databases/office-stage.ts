import { officePorts } from '#api-server/back-office/back-office.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import type { OfficeCall, OfficePorts } from '#api-server/kit/decision.ts'
import type { OpenQueue } from '#api-server/kit/queue.ts'
import type { Operator } from '#server-kit/http/http.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'

/** Ports of the back office over a database of a test. */
export const officeOn = (
  { database, clock, proofs, notices }: Pick<OfficePorts, 'database' | 'clock' | 'proofs' | 'notices'>,
  queueChanged = () => {},
): OfficePorts =>
  officePorts({
    database,
    clock,
    proofs,
    notices,
    once: createIdempotency({ database, clock, secrets: createSecrets('office stage'), log: createLog('silent') }),
    queueChanged,
  })

/** An operator who decides directly at a queue. */
export const reviewer = (name: string, id = 1): Operator => ({ id, name, roles: ['reviewer'], fresh: true })

/** Takes a step as a call of the operator does: in a transaction of its own, and customers hear of it. */
export const take = async (queue: Pick<OpenQueue, 'handlers'>, call: OfficeCall, input: object, operator = reviewer('ann')) =>
  (await queue.handlers[call]!(input as never, { lang: 'en', token: undefined, agent: '', ip: '', operator })) as Record<string, unknown>
