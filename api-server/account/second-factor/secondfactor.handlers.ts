import { type AccountContext, changeSecurity, ownAccount, provePassword } from '#api-server/account/context.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type FactorCalls = 'user.totpSetup' | 'user.totpConfirm' | 'user.totpRemove'

export function secondFactorHandlers(context: AccountContext): Pick<Handlers<typeof userCalls>, FactorCalls> {
  const { factor } = context
  return {
    'user.totpSetup': async (_input, caller) => {
      const account = await ownAccount(context, caller)
      return factor.setUp(caller.user, account.email ?? account.mobile ?? String(account.id))
    },
    'user.totpConfirm': async ({ code, password }, caller) => {
      const account = await ownAccount(context, caller)
      await provePassword(context, account, password, caller)
      const first = await factor.checkFirst(code, caller, 'code')
      let recovery_codes: string[] = []
      const change = {
        account: account.id,
        caller,
        notice: { kind: 'second_factor_on', figures: {} },
        hold: true,
        endOthers: { but: caller.user.session },
      } as const
      const until = await changeSecurity(context, change, async (tx) => {
        recovery_codes = await factor.confirm(tx, account.id, first)
      })
      return { withdraw_hold_until: until, recovery_codes }
    },
    'user.totpRemove': async ({ password, code }, caller) => {
      const account = await ownAccount(context, caller)
      await provePassword(context, account, password, caller)
      if ((await factor.pass(account.id, code, caller, 'code')) === 'none') throw new ApiProblem('second_factor_off')
      const change = {
        account: account.id,
        caller,
        notice: { kind: 'second_factor_off', figures: {} },
        hold: true,
        endOthers: { but: caller.user.session },
      } as const
      return { withdraw_hold_until: await changeSecurity(context, change, (tx) => factor.remove(tx, account.id)) }
    },
  }
}
