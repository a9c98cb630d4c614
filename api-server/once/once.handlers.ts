import type { Keeper } from '#api-server/once/keeper.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'

export const onceHandlers = (keeper: Pick<Keeper, 'outcome'>): Pick<Handlers<typeof identityCalls>, 'user.outcome'> => ({
  'user.outcome': ({ key }, caller) => keeper.outcome(caller, key),
})
