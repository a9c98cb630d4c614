import { callingCode } from '#api-server/account/address/areas.rules.ts'
import { bindScenes, channelOf, visitorScenes } from '#api-server/account/codes/code.rules.ts'
import { type AccountContext, accountOf } from '#api-server/account/context.ts'
import type { authCalls, Scene } from '#contract/calls/auth.calls.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import { loginOf } from '#contract/rules/contact.rules.ts'
import type { Caller, Handlers } from '#server-kit/http/http.ts'
import { tokenHash } from '#server-kit/security/secrets.ts'

interface Ask {
  channel: 'mail' | 'sms'
  scene: Scene
  /** As typed. */
  address: string | undefined
  areaCode?: string | undefined
  areaCodeId?: number | undefined
  /** The device ticket that the last login on this device answered. */
  device?: string | undefined
  /** Names of the inputs in this call. */
  fields: { address: string; scene: string }
}

type Sending = Pick<Handlers<typeof authCalls>, 'auth.smsMail' | 'auth.smsSend'> &
  Pick<Handlers<typeof userCalls>, 'user.emsSend' | 'user.smsSend'>

export function codeHandlers(context: AccountContext): Sending {
  const { sessions, store, codes, guesses, log } = context

  /** @throws ApiProblem parameter_missing, email_wrong, mobile_wrong */
  function typedTarget({ channel, address, areaCode, areaCodeId, fields }: Ask): string {
    if (address === undefined) throw new ApiProblem('parameter_missing', { field: fields.address })
    const login = loginOf(address, callingCode(areaCode, areaCodeId))
    if (login?.kind === (channel === 'mail' ? 'email' : 'mobile')) return login.address
    throw new ApiProblem(channel === 'mail' ? 'email_wrong' : 'mobile_wrong', { field: fields.address })
  }

  interface Addressee {
    target: string
    account: number
    /** Nobody gets the code. */
    drop: boolean
    knownAs?: { account: number } | { device: string } | undefined
  }

  /**
   * Returns the account that gets a code, and the asker as whom the caller counts. The database is asked the same for an account and for
   * none.
   */
  async function addressee(ask: Ask, caller: Caller): Promise<Addressee> {
    const { scene, channel, fields, device } = ask
    if (visitorScenes.includes(scene)) {
      const target = typedTarget(ask)
      if (scene === 'register') return { target, account: 0, drop: false }
      const account = await accountOf(context, { kind: channel === 'mail' ? 'email' : 'mobile', address: target })
      const mayReset = account?.status === 'active'
      const isKnown = device !== undefined && (await sessions.store.knowsDevice(account?.id ?? 0, tokenHash(device)))
      return { target, account: mayReset ? account.id : 0, drop: !mayReset, knownAs: isKnown ? { device } : undefined }
    }
    const user = await sessions.requireUser(caller)
    if ((channelOf[scene] ?? channel) !== channel) throw new ApiProblem('parameter_error', { field: fields.scene })
    if (bindScenes[scene]) return { target: typedTarget(ask), account: user.uid, drop: false, knownAs: { account: user.uid } }
    const account = await store.byId(user.uid)
    const target = channel === 'mail' ? account?.email : account?.mobile
    if (!target) throw new ApiProblem('address_missing')
    return { target, account: user.uid, drop: false, knownAs: { account: user.uid } }
  }

  async function send(ask: Ask, caller: Caller) {
    await guesses.byAddress('code', caller)
    const to = await addressee(ask, caller)
    const { channel, scene } = ask
    try {
      const sent = await codes.send({ ...to, channel, scene, lang: caller.lang, ip: caller.ip })
      log.info({ event: 'code_sent', channel, scene, uid: to.account || undefined, ip: caller.ip }, 'a code was asked for')
      return sent
    } catch (error) {
      if (error instanceof ApiProblem)
        log.warn({ event: 'limit', limit: error.code, channel, scene, ip: caller.ip }, 'codes are asked for too often')
      throw error
    }
  }
  const byString = { address: 'user_string', scene: 'scene' }

  return {
    'auth.smsMail': ({ user_string, scene, device }, caller) =>
      send({ channel: 'mail', scene, address: user_string, device, fields: byString }, caller),
    'auth.smsSend': ({ user_string, scene, area_code, area_code_id, device }, caller) =>
      send(
        { channel: 'sms', scene, address: user_string, areaCode: area_code, areaCodeId: area_code_id, device, fields: byString },
        caller,
      ),
    'user.emsSend': ({ email, event, device }, caller) =>
      send({ channel: 'mail', scene: event, address: email, device, fields: { address: 'email', scene: 'event' } }, caller),
    'user.smsSend': ({ mobile, type, area_code, area_code_id, device }, caller) =>
      send(
        {
          channel: 'sms',
          scene: type,
          address: mobile,
          areaCode: area_code,
          areaCodeId: area_code_id,
          device,
          fields: { address: 'mobile', scene: 'type' },
        },
        caller,
      ),
  }
}
