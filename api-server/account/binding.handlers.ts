import { mask } from '#api-server/account/address/address.rules.ts'
import { callingCode } from '#api-server/account/address/areas.rules.ts'
import { type AccountContext, changeSecurity, ownAccount, provePassword } from '#api-server/account/context.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { canonicalEmail } from '#contract/rules/contact.rules.ts'
import { canonicalMobile } from '#contract/rules/mobile.rules.ts'
import { isUniqueViolation } from '#server-kit/db/db.ts'
import type { Handlers, UserCaller } from '#server-kit/http/http.ts'

interface Binding {
  column: 'email' | 'mobile'
  /** Canonical, and proved by the code. */
  address: string
  code: string
  password: string
  totp: string | undefined
}

export function bindingHandlers(context: AccountContext): Pick<Handlers<typeof userCalls>, 'user.safeMobile' | 'user.safeEmail'> {
  const { store, codes, factor } = context

  async function bind({ column, address, code, password, totp }: Binding, caller: UserCaller): Promise<number | null> {
    const account = await ownAccount(context, caller)
    await provePassword(context, account, password, caller)
    const scene = column === 'email' ? 'bind_email' : 'bind_mobile'
    const proof = await codes.check({ scene, account: account.id, target: address, code, field: 'code' })
    const taken = new ApiProblem('address_taken', { field: column })
    const owner = await store.byLogin({ kind: column, address })
    if (owner) throw taken
    await factor.pass(account.id, totp, caller, 'totp')
    const isReplaced = account[column] !== null
    const kind = column === 'email' ? 'email_changed' : 'mobile_changed'
    const notice = { kind, word: isReplaced ? 'again' : 'first', figures: {} } as const
    const change = { account: account.id, caller, notice, hold: isReplaced, endOthers: { but: caller.user.session } } as const
    try {
      return await changeSecurity(context, change, async (tx) => {
        await codes.use(tx, proof, 'code')
        await store.update(tx, account.id, { [column]: address })
      })
    } catch (error) {
      throw isUniqueViolation(error) ? taken : error
    }
  }

  return {
    'user.safeMobile': async ({ mobile, area_code, area_code_id, code, password, totp }, caller) => {
      const area = callingCode(area_code, area_code_id)
      const address = area && canonicalMobile(area, mobile)
      if (!address) throw new ApiProblem('mobile_wrong', { field: 'mobile' })
      return { withdraw_hold_until: await bind({ column: 'mobile', address, code, password, totp }, caller), mobile: mask(address) }
    },
    'user.safeEmail': async ({ email, code, password, totp }, caller) => {
      const address = canonicalEmail(email)
      if (!address) throw new ApiProblem('email_wrong', { field: 'email' })
      return { withdraw_hold_until: await bind({ column: 'email', address, code, password, totp }, caller), email: mask(address) }
    },
  }
}
