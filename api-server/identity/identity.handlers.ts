import type { Proof, Proofs } from '#api-server/account/proof.ts'
import { hasReverse, type Level, levels, maskDocument, maskName, stateOf, submitted } from '#api-server/identity/identity.rules.ts'
import { createIdentityStore, type NewVerification } from '#api-server/identity/identity.store.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import type { CallOutput } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import { documentNumber, type IdType } from '#contract/rules/document.rules.ts'
import { personName } from '#contract/rules/name.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, UserCaller } from '#server-kit/http/http.ts'

type Limits = readonly { level: number; limit_btc: string; order_limit_usd: string }[]

export interface IdentityDeps extends Pick<ProductPorts, 'database' | 'clock' | 'log' | 'secrets' | 'once'> {
  proofs: Pick<Proofs, 'standing' | 'lock' | 'code'>
  /** Claims a picture that this customer has uploaded. @throws ApiProblem('not_found') */
  claim: (uid: number, address: string, purpose: 'identity', field: string) => Promise<string>
  /** Withdrawal limits of each level: BTC in 24 hours, USD in one withdrawal to a bank. */
  limits: () => Promise<Limits>
  /** Called after a new submission waits for review. */
  changed?: () => void
}

type PersonCalls = 'user.getAuth' | 'user.real' | 'user.doAuth'
interface Person {
  id_type: IdType
  name: string
  number: string
}
/** The typed fields, and their names in the call. */
interface Typed extends Person {
  call: 'user.real' | 'user.doAuth'
  input: { email_code?: string | undefined }
  asked: Level
  /** Name of the call's field that holds the number. */
  numberField: string
  pictures?: { front: string; reverse: string | undefined }
}

/** Handlers of identity verification for customers. Names and numbers are encrypted in the database and masked in every answer. */
export function identityHandlers(deps: IdentityDeps): Pick<Handlers<typeof identityCalls>, PersonCalls> {
  const { clock, log, secrets, once, proofs, claim, limits, changed } = deps
  const store = createIdentityStore(deps.database, secrets)

  async function answer(uid: number, allowed: Limits, tx?: Tx): Promise<CallOutput<'user.getAuth'>> {
    const { level, emailBound, mobileBound } = await proofs.standing(uid, tx)
    const newest = await store.newest(uid, tx)
    const rows = levels.map((one) => {
      const proof = newest.get(one)
      const status = stateOf(one, level, proof?.status)
      const shown = proof && status === proof.status ? proof : undefined
      const { limit_btc = '0', order_limit_usd = '0' } = allowed.find((row) => row.level === one) ?? {}
      return {
        level: one,
        status,
        reason: shown?.status === 'failed' ? shown.reason : '',
        id_type: shown?.id_type ?? null,
        name: maskName(shown?.name ?? ''),
        number: maskDocument(shown?.number ?? ''),
        submitted: shown?.created_at ?? null,
        reviewed: shown && shown.status !== 'reviewing' ? shown.changed_at : null,
        limit_btc,
        order_limit_usd,
      }
    })
    const status = rows.filter((row) => row.status !== 'none').at(-1)?.status ?? 'none'
    return { level, status, email_bound: emailBound, mobile_bound: mobileBound, levels: rows }
  }

  /** @throws ApiProblem name_wrong, id_number_wrong */
  function read({ id_type, name, number, numberField }: Typed): Person {
    const person = personName(name)
    if (person === undefined) throw new ApiProblem('name_wrong', { field: 'name' })
    const document = documentNumber(id_type, number)
    if (document === undefined) throw new ApiProblem('id_number_wrong', { field: numberField })
    return { id_type, name: person, number: document }
  }

  /** @throws ApiProblem state_wrong, level_missing, contacts_unbound */
  async function judge(uid: number, asked: Level, tx?: Tx): Promise<void> {
    const standing = tx ? await proofs.lock(tx, uid) : await proofs.standing(uid)
    const state = (await store.newest(uid, tx)).get(asked)?.status ?? 'none'
    const outcome = submitted({ ...standing, asked, state })
    if (outcome !== 'taken') throw new ApiProblem(outcome)
  }

  /** @throws ApiProblem picture_missing, not_found */
  async function takePictures(uid: number, type: IdType, { front, reverse }: NonNullable<Typed['pictures']>) {
    if (!front) throw new ApiProblem('picture_missing', { field: 'front_pic' })
    if (hasReverse(type) && (!reverse || reverse === front)) throw new ApiProblem('picture_missing', { field: 'reverse_pic' })
    const take = (address: string, field: string) => claim(uid, address, 'identity', field)
    return { front: await take(front, 'front_pic'), reverse: hasReverse(type) ? await take(reverse ?? '', 'reverse_pic') : '' }
  }

  async function submit(typed: Typed, caller: UserCaller) {
    const { call, input, asked } = typed
    const { uid } = caller.user
    const allowed = await limits()
    let person: Person
    let pictures = { front: '', reverse: '' }
    let proved: Proof | undefined
    const prove = async () => {
      person = read(typed)
      await judge(uid, asked)
      if (typed.pictures) pictures = await takePictures(uid, typed.id_type, typed.pictures)
      // Last, so that another refusal does not count as a guess.
      if (input.email_code !== undefined) proved = await proofs.code(caller, 'identity', input.email_code, 'email_code')
    }
    const sent = await once.run(caller, { call, input, prove }, async (tx) => {
      await judge(uid, asked, tx)
      await proved?.use(tx)
      const row: NewVerification = { uid, level: asked, ...person, ...pictures, created_at: clock.now() }
      await store.insert(tx, row)
      return answer(uid, allowed, tx)
    })
    log.info({ event: 'identity_sent', level: asked, uid, ip: caller.ip }, 'a proof of identity was sent')
    changed?.()
    return sent
  }

  return {
    'user.getAuth': async (_input, { user }) => answer(user.uid, await limits()),
    'user.real': (input, caller) => {
      const { id_type, name, card_id, real_type } = input
      if (real_type !== 1) throw new ApiProblem('parameter_error', { field: 'real_type' })
      return submit({ call: 'user.real', input, asked: 1, id_type, name, number: card_id, numberField: 'card_id' }, caller)
    },
    'user.doAuth': (input, caller) => {
      const { id_type, name, idnumber, front_pic, reverse_pic, real_type } = input
      if (real_type !== 2) throw new ApiProblem('parameter_error', { field: 'real_type' })
      const pictures = { front: front_pic, reverse: reverse_pic }
      return submit({ call: 'user.doAuth', input, asked: 2, id_type, name, number: idnumber, numberField: 'idnumber', pictures }, caller)
    },
  }
}
