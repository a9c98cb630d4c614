import { type IdentityDeps, identityHandlers } from '#api-server/identity/identity.handlers.ts'
import { type IdentityQueueContext, identityQueue } from '#api-server/identity/identity.queue.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'

export interface Identity {
  readonly handlers: ReturnType<typeof identityHandlers>
  /** Reviews at the back office. */
  readonly queue: ReturnType<typeof identityQueue.open>
}

/** Identity verification: submissions of customers and their review. */
export const createIdentity = ({ office, ...deps }: IdentityDeps & IdentityQueueContext & { office: OfficePorts }): Identity => ({
  handlers: identityHandlers(deps),
  queue: identityQueue.open(office, deps),
})
