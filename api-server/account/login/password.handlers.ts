import { callingCode } from '#api-server/account/address/areas.rules.ts'
import { type AccountContext, accountOf, changeSecurity, ownAccount, provePassword, proveVisitor } from '#api-server/account/context.ts'
import { checkPassword, payPasswordProblem } from '#api-server/account/login/password.rules.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import { loginOf, loginProblem } from '#contract/rules/contact.rules.ts'
import type { Caller, Handlers, User } from '#server-kit/http/http.ts'

type Resetting = CallInput<'user.resetpwd'>

export function passwordHandlers(context: AccountContext): Pick<Handlers<typeof userCalls>, 'user.resetpwd' | 'user.resetmpwd'> {
  const { store, sessions, codes, hasher, factor, passwordMin } = context

  const checkNew = (newpassword: string, addresses: readonly string[]) => checkPassword(newpassword, addresses, passwordMin, 'newpassword')

  /** Somebody who proves the address, and the second factor where there is one. Nothing is revealed about accounts that do not exist. */
  async function forgotten(input: Resetting & { account: string }, caller: Caller): Promise<number | null> {
    const login = loginOf(input.account, callingCode(input.area_code, undefined))
    if (!login) throw new ApiProblem(loginProblem(input.account), { field: 'account' })
    checkNew(input.newpassword, [login.address])
    const account = await accountOf(context, login)
    const mayReset = account?.status === 'active'
    const asked = { scene: 'reset_password', account: mayReset ? account.id : 0, target: login.address } as const
    const code = await proveVisitor(context, { ...asked, code: input.code, ticket: input.ticket, field: 'code' }, caller)
    if (!mayReset) throw new ApiProblem('code_wrong', { field: 'code' })
    await factor.pass(account.id, input.totp, caller, 'totp')
    const password_hash = await hasher.hash(input.newpassword)
    const change = {
      account: account.id,
      caller,
      notice: { kind: 'password_changed', figures: {} },
      hold: true,
      endOthers: { but: undefined },
    } as const
    return changeSecurity(context, change, async (tx, before) => {
      // The owner bound another address while the code of this one was looked at: it opens nothing any more.
      if (before[login.kind] !== login.address) throw new ApiProblem('code_wrong', { field: 'code' })
      await codes.use(tx, code, 'code')
      await store.update(tx, account.id, { password_hash })
      await sessions.store.forgetDevices(tx, account.id)
    })
  }

  async function changed(input: Resetting, user: User, caller: Caller): Promise<number | null> {
    if (input.password === undefined) throw new ApiProblem('parameter_missing', { field: 'password' })
    const account = await ownAccount(context, { ...caller, user })
    checkNew(
      input.newpassword,
      [account.email, account.mobile].filter((address) => address !== null),
    )
    await provePassword(context, account, input.password, caller)
    if (input.newpassword === input.password) throw new ApiProblem('password_same', { field: 'newpassword' })
    const code = await codes.check({ scene: 'change_password', account: account.id, code: input.code, field: 'code' })
    await factor.pass(account.id, input.totp, caller, 'totp')
    const password_hash = await hasher.hash(input.newpassword)
    const change = {
      account: account.id,
      caller,
      notice: { kind: 'password_changed', figures: {} },
      hold: true,
      endOthers: { but: user.session },
    } as const
    return changeSecurity(context, change, async (tx) => {
      await codes.use(tx, code, 'code')
      await store.update(tx, account.id, { password_hash })
    })
  }

  return {
    'user.resetpwd': async (input, caller) => {
      const { account, password } = input
      if (account !== undefined && password === undefined) return { withdraw_hold_until: await forgotten({ ...input, account }, caller) }
      const user = await sessions.userOf(caller)
      if (user) return { withdraw_hold_until: await changed(input, user, caller) }
      if (caller.token || account === undefined) throw new ApiProblem('unauthorized')
      return { withdraw_hold_until: await forgotten({ ...input, account }, caller) }
    },
    'user.resetmpwd': async ({ password, newpassword, code, totp }, caller) => {
      const account = await ownAccount(context, caller)
      const weak = payPasswordProblem(
        newpassword,
        [account.email, account.mobile].filter((address) => address !== null),
      )
      if (weak) throw new ApiProblem(weak, { field: 'newpassword' })
      await provePassword(context, account, password, caller)
      if (newpassword === password) throw new ApiProblem('pay_password_same', { field: 'newpassword' })
      const proof = await codes.check({ scene: 'change_pay_password', account: account.id, code, field: 'code' })
      await factor.pass(account.id, totp, caller, 'totp')
      const pay_password_hash = await hasher.hash(newpassword)
      // The first one changes nothing that could have been stolen; a later one does.
      const hold = account.pay_password_hash !== null
      const notice = { kind: 'pay_password_changed', word: hold ? 'again' : 'first', figures: {} } as const
      const change = { account: account.id, caller, notice, hold, endOthers: { but: caller.user.session } } as const
      const until = await changeSecurity(context, change, async (tx) => {
        await codes.use(tx, proof, 'code')
        await store.update(tx, account.id, { pay_password_hash })
      })
      return { withdraw_hold_until: until }
    },
  }
}
