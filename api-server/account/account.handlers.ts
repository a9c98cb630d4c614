import { holdUntil } from '#api-server/account/account.rules.ts'
import { mask } from '#api-server/account/address/address.rules.ts'
import { searchAreas } from '#api-server/account/address/areas.rules.ts'
import { type AccountContext, ownAccount, provePassword } from '#api-server/account/context.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { defaultAreaCode } from '#contract/credentials.ts'
import { ApiProblem } from '#contract/problem.ts'
import { nicknameOf, nicknameProblem, signatureOf } from '#contract/rules/nickname.rules.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Own =
  | 'user.info'
  | 'user.editNickname'
  | 'user.invite'
  | 'user.sessions'
  | 'user.endSession'
  | 'user.endOtherSessions'
  | 'common.areas'

/** Opens the registration with the code filled in. */
const inviteLink = (code: string) => `/#/pages/common/register?extension_code=${encodeURIComponent(code)}`

export function accountHandlers(context: AccountContext): Pick<Handlers<typeof userCalls>, Own> {
  const { database, store, sessions, factor, clock, log } = context
  return {
    'user.info': async (_input, caller) => {
      const account = await ownAccount(context, caller)
      const { email, mobile, nickname, head_portrait, signature, credit_score, level, invite_code, demo } = account
      return {
        uid: account.id,
        nickname,
        head_portrait,
        signature,
        credit_score,
        level,
        invite_code,
        demo,
        email: email ? mask(email) : '',
        mobile: mobile ? mask(mobile) : '',
        has_email: email !== null,
        has_mobile: mobile !== null,
        has_pay_password: account.pay_password_hash !== null,
        totp: await factor.isOn(account.id),
        withdraw_hold_until: holdUntil(account.withdraw_hold_until, clock.now()),
        frozen: account.status === 'frozen',
        created: account.created_at,
      }
    },
    'user.editNickname': async (input, caller) => {
      const { id } = await ownAccount(context, caller)
      const problem = input.nickname === undefined ? undefined : nicknameProblem(input.nickname)
      if (problem) throw new ApiProblem(problem, { field: 'nickname' })
      const asked = {
        ...(input.nickname !== undefined && { nickname: nicknameOf(input.nickname) }),
        ...(input.signature !== undefined && { signature: signatureOf(input.signature) }),
      }
      if ('signature' in asked && asked.signature === undefined) throw new ApiProblem('signature_wrong', { field: 'signature' })
      return database.transaction(async (tx) => {
        const { nickname, signature } = { ...(await store.lock(tx, id)), ...asked }
        await store.update(tx, id, { nickname, signature })
        return { nickname, signature }
      })
    },
    'user.invite': async (_input, caller) => {
      const { id, invite_code } = await ownAccount(context, caller)
      const { first, second } = await store.countInvited(id)
      return { code: invite_code, link: inviteLink(invite_code), invited: first, invited_second: second }
    },
    'user.sessions': async (_input, { user }) => {
      const list = await sessions.list(user.uid)
      const shown = list.map(({ id, device, agent, ip, created_at, seen_at }) => ({
        id,
        device,
        agent,
        ip,
        created: created_at,
        seen: seen_at,
        current: id === user.session,
      }))
      return { list: shown.sort((a, b) => Number(b.current) - Number(a.current)) }
    },
    'user.endSession': async ({ id, password }, caller) => {
      const { user, ip } = caller
      await provePassword(context, await ownAccount(context, caller), password, caller)
      if (!(await sessions.end(user.uid, id))) throw new ApiProblem('not_found', { field: 'id' })
      log.info({ event: 'session_ended', uid: user.uid, session: id, ip }, 'a session was ended')
      return {}
    },
    'user.endOtherSessions': async ({ password }, caller) => {
      const { user, ip } = caller
      await provePassword(context, await ownAccount(context, caller), password, caller)
      const ended = await database.transaction((tx) => sessions.endOthers(tx, user.uid, user.session))
      sessions.tell(user.uid)
      log.info({ event: 'sessions_ended', uid: user.uid, ended, ip }, 'other sessions were ended')
      return { ended }
    },
    'common.areas': ({ keyword }, { lang }) => ({ default: defaultAreaCode, list: searchAreas(lang, keyword) }),
  }
}
