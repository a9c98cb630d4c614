import { loginOf } from '#api-server/account/address.rules.ts'
import { callingCode } from '#api-server/account/areas.rules.ts'
import { bindScenes, visitorScenes } from '#api-server/account/code.rules.ts'
import { accountOf, type Parts } from '#api-server/account/parts.ts'
import type { authCalls, Scene } from '#contract/auth.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { userCalls } from '#contract/user.calls.ts'
import type { Caller, Handlers } from '#server-kit/http.ts'

interface Ask {
  channel: 'mail' | 'sms'
  scene: Scene
  /** As typed. */
  address: string | undefined
  areaCode?: string | undefined
  areaCodeId?: number | undefined
  /** Names of the inputs in this call. */
  fields: { address: string; scene: string }
}

type Sending = Pick<Handlers<typeof authCalls>, 'auth.smsMail' | 'auth.smsSend'> &
  Pick<Handlers<typeof userCalls>, 'user.emsSend' | 'user.smsSend'>

export function codeHandlers(parts: Parts): Sending {
  const { sessions, store, codes, guard, log } = parts

  /** @throws ApiProblem parameter_missing, email_wrong, mobile_wrong */
  function typedTarget({ channel, address, areaCode, areaCodeId, fields }: Ask): string {
    if (address === undefined) throw new ApiProblem('parameter_missing', { field: fields.address })
    const login = loginOf(address, callingCode(areaCode, areaCodeId))
    if (login?.kind === (channel === 'mail' ? 'email' : 'mobile')) return login.address
    throw new ApiProblem(channel === 'mail' ? 'email_wrong' : 'mobile_wrong', { field: fields.address })
  }

  /** Who gets a code, and whether anybody does. */
  async function addressee(ask: Ask, caller: Caller): Promise<{ target: string; account: number; drop: boolean }> {
    const { scene, channel, fields } = ask
    if (visitorScenes.includes(scene)) {
      const target = typedTarget(ask)
      if (scene === 'register') return { target, account: 0, drop: false }
      const account = await accountOf(parts, { kind: channel === 'mail' ? 'email' : 'mobile', address: target })
      const mayReset = account?.status === 'active'
      return { target, account: mayReset ? account.id : 0, drop: !mayReset }
    }
    const user = await sessions.requireUser(caller)
    const bound = bindScenes[scene]
    if (bound) {
      if (bound !== channel) throw new ApiProblem('parameter_error', { field: fields.scene })
      return { target: typedTarget(ask), account: user.uid, drop: false }
    }
    const account = await store.byId(user.uid)
    const target = channel === 'mail' ? account?.email : account?.mobile
    if (!target) throw new ApiProblem('address_missing')
    return { target, account: user.uid, drop: false }
  }

  async function send(ask: Ask, caller: Caller) {
    await guard.byAddress('code', caller)
    const { target, account, drop } = await addressee(ask, caller)
    const { channel, scene } = ask
    try {
      const sent = await codes.send({ channel, scene, target, account, lang: caller.lang, drop })
      log.info({ event: 'code_sent', channel, scene, uid: account || undefined, ip: caller.ip }, 'a code was asked for')
      return sent
    } catch (error) {
      if (error instanceof ApiProblem)
        log.warn({ event: 'limit', limit: error.code, channel, scene, ip: caller.ip }, 'codes are asked for too often')
      throw error
    }
  }
  const byString = { address: 'user_string', scene: 'scene' }

  return {
    'auth.smsMail': ({ user_string, scene }, caller) => send({ channel: 'mail', scene, address: user_string, fields: byString }, caller),
    'auth.smsSend': ({ user_string, scene, area_code, area_code_id }, caller) =>
      send({ channel: 'sms', scene, address: user_string, areaCode: area_code, areaCodeId: area_code_id, fields: byString }, caller),
    'user.emsSend': ({ email, event }, caller) =>
      send({ channel: 'mail', scene: event, address: email, fields: { address: 'email', scene: 'event' } }, caller),
    'user.smsSend': ({ mobile, type, area_code, area_code_id }, caller) =>
      send(
        {
          channel: 'sms',
          scene: type,
          address: mobile,
          areaCode: area_code,
          areaCodeId: area_code_id,
          fields: { address: 'mobile', scene: 'type' },
        },
        caller,
      ),
  }
}
