import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import sharp from 'sharp'
import type { CallRow } from '#contract/call.ts'
import { type CallName, contract } from '#contract/contract.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { callFields, type Field } from '#tests/support/call-fields.ts'
import { faultOf, formOf, openPool, outcomeOf, type TimedAnswer, type Wire, wireOf } from '#tests/support/databases/pool.ts'
import { cheapHash, crowdPassword, forgetTries, type Member, makeCrowd, tokenFor } from '#tests/support/feed/crowd.ts'
import { makeUser } from '#tests/support/people/accounts.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

type Pair = readonly [string, string]

/** Calls of one API server with known valid fields, of which one can be made invalid. */
export interface FieldStage {
  api: TestApi
  /** Valid fields of a call with some replaced; `undefined` omits one. */
  pairs(call: CallName, change?: Record<string, string | undefined>): Pair[]
  /**
   * Sends a call and returns its answer; counted attempts are cleared before. Without `file` an upload sends a small picture. `token` null
   * sends none; by default a valid one is sent.
   */
  send(
    call: CallName,
    pairs: readonly Pair[],
    more?: { headers?: Record<string, string>; token?: string | null; file?: Buffer },
  ): Promise<TimedAnswer>
  raw(wire: Wire): Promise<TimedAnswer>
  token(call: CallName): Promise<string>
  /** All data that a refusal must not change, as one text. */
  standing(): Promise<string>
  /** Errors that the server logged. */
  logged: string[]
  end(): Promise<void>
}

/** Calls that end their own session. */
const endsSession = new Set<CallName>(['user.logout', 'user.endOtherSessions', 'user.endSession'])
const guardedSorts: readonly Field[0][] = ['login', 'email', 'mobile', 'password', 'newPassword', 'code', 'factor']
/** Calls with counted attempts. */
const guardedCalls = new Set(
  (Object.keys(contract) as CallName[]).filter((call) =>
    Object.values(callFields[call] as Record<string, Field>).some(([sort]) => guardedSorts.includes(sort)),
  ),
)
/** Calls that check a second factor. */
const withFactor = new Set<CallName>(['user.totpRemove', 'user.resetpwd'])

/** Members that repeat the input or contain the time. */
const echoed = /"(target|mobile|email|real_name|bank_\w+|phone|alipay_account|wechat_\w+|swift_code)":"(?:[^"\\]|\\.)*"/g

/** The content of an answer without values that are new in each answer, for comparing two answers. */
export function gistOf(answer: TimedAnswer): string {
  if (answer.status !== 200) return `${answer.status} ${outcomeOf(answer)} ${answer.json<{ field?: string }>().field ?? ''}`.trim()
  return answer.text
    .replace(echoed, '"$1":""')
    .replace(/"changed":\d+/g, '"changed":0')
    .replace(/"ticket":"[^"]*"/g, '"ticket":""')
}

/** @throws Error with the request when an answer has a form that the API never sends */
export function mustBeClean(answer: TimedAnswer, what: string): void {
  const fault = faultOf({ ...answer, text: answer.text.replace(echoed, '"$1":""') })
  if (fault) throw new Error(`${fault}: ${what}\n${answer.text.slice(0, 500)}`)
}

export async function openFieldStage(): Promise<FieldStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-fields-'))
  const logged: string[] = []
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      logged.push(part.toString())
      done()
    },
  })
  // A price grows old by the clock, and answers that are compared must not differ by that.
  const api = await startApi({ place: { dataDir }, log: createLog('error', sink), standing: true })
  const { db } = api.database
  const pool = openPool(api.origin, 4)
  const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#06c' } })
    .png()
    .toBuffer()
  const [ann, bob] = (await makeCrowd(api, ['ann', 'bob'])) as [Member, Member]
  const second = await makeUser(api, { totp: '1' })
  const password_hash = await cheapHash(crowdPassword)
  await db.updateTable('account').set({ password_hash }).where('id', '=', second.uid).execute()
  const tokens = { plain: await tokenFor(api, ann), factor: second.token }
  await api.post('/api/user/totpSetup', {}, { authorization: tokens.plain })
  // Orders without a recent price are refused before their other fields are judged.
  await api.post('/test/tick', { symbol: 'BTCUSDT', price: '50000' })
  let count = 0
  const filled = (text: string) => {
    if (text === '{fresh}') return `new${++count}@mail.example`
    if (text === '{mobile}') return String(13_000_000_000 + ++count)
    return text.replace('{second}', second.username).replace('{password}', crowdPassword).replace('{invite}', ann.invite)
  }
  const token = async (call: CallName) => {
    if (endsSession.has(call)) return tokenFor(api, bob)
    return withFactor.has(call) ? tokens.factor : tokens.plain
  }
  return {
    api,
    logged,
    token,
    raw: (wire) => pool.ask(wire),
    pairs(call, change = {}) {
      const fields = Object.entries(callFields[call] as Record<string, Field>).map(([name, [, right]]): [string, string | undefined] => [
        name,
        Object.hasOwn(change, name) ? change[name] : filled(right),
      ])
      return fields.flatMap(([name, text]): Pair[] => (text === undefined ? [] : [[name, text]]))
    },
    async send(call, pairs, { headers = {}, token: own, file = picture } = {}) {
      const row: CallRow = contract[call]
      if (guardedCalls.has(call)) await forgetTries(api)
      const authorization = own === undefined ? await token(call) : own
      return pool.ask(wireOf(row, formOf(pairs), { ...(authorization !== null && { authorization }), ...headers }, file))
    },
    async standing() {
      const lists = [
        db.selectFrom('account').selectAll().orderBy('id').execute(),
        db.selectFrom('favourite').selectAll().orderBy('uid').execute(),
        db.selectFrom('second_factor').select(['account_id', 'confirmed_at']).orderBy('account_id').execute(),
        db.selectFrom('recovery_code').select(['account_id', 'used_at']).orderBy('account_id').execute(),
        sql`select (select count(*) from article) as articles, (select count(*) from content_text) as texts, (select count(*) from setting) as settings,
          (select count(*) from currency) as coins, (select count(*) from upload) as pictures, (select count(*) from ledger_event) as events,
          (select count(*) from funding) as funding, (select count(*) from wallet_address) as addresses`
          .execute(db)
          .then(({ rows }) => rows),
      ]
      return JSON.stringify(await Promise.all(lists))
    },
    async end() {
      pool.close()
      await api.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
