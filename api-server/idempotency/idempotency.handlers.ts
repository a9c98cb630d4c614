import type { IdempotencyKeys } from '#api-server/idempotency/keys.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'

export const idempotencyHandlers = (
  idempotency: Pick<IdempotencyKeys, 'outcome'>,
): Pick<Handlers<typeof identityCalls>, 'user.outcome'> => ({
  'user.outcome': ({ key }, caller) => idempotency.outcome(caller, key),
})
