import type { Proofs, Standing } from '#api-server/account/proof.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies } from '#api-server/currency/currency.store.ts'
import { copyTexts } from '#api-server/file-texts.ts'
import { createFollow, type FollowTrading } from '#api-server/follow/follow.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import type { OfficePorts } from '#api-server/kit/decision.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import type { Lever } from '#api-server/lever/lever.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import type { CallRow } from '#contract/call.ts'
import type { followCalls } from '#contract/calls/follow.calls.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import { write } from '#server-kit/db/db.ts'
import type { Handler } from '#server-kit/http/http.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type LeverStage, openLeverStage } from '#tests/support/databases/lever-stage.ts'
import { officeOn, reviewer } from '#tests/support/databases/office-stage.ts'

type FollowCall = keyof typeof followCalls

/** Copy trading over contract trading. Each node of contract trading has one of copy trading. */
export const openFollowStage = async (engine: Engine, nodes = 1) => followStageOn(await openLeverStage(engine, { nodes }))

/** @param proofs of the stage's customers where they have accounts; without them no account is locked */
export function followStageOn(stage: LeverStage, proofs?: Pick<Proofs, 'lock'>) {
  const { database, clock, market } = stage
  const log = createLog('silent')
  const frozen = new Set<number>()
  const mails: string[] = []
  const mailed = ({ uid, kind, word, figures }: Parameters<Notices['notifyAll']>[1][number]) =>
    void mails.push(`${uid} ${word ? `${kind}_${word}` : kind} ${JSON.stringify(figures)}`)
  let admits = true
  const standing = async (uid: number): Promise<Standing> => ({
    uid,
    level: 1,
    holdUntil: null,
    status: frozen.has(uid) ? 'frozen' : 'active',
    demo: false,
    codeTo: '',
    codeBy: 'none',
    emailBound: true,
    mobileBound: false,
    hasPayPassword: true,
    totp: false,
  })
  const own: OfficePorts['proofs'] = {
    standing,
    lock: async (tx, uid, frozenToo) => {
      if (frozen.has(uid) && !frozenToo) throw new ApiProblem('account_frozen')
      return proofs ? proofs.lock(tx, uid, frozenToo) : standing(uid)
    },
  }
  const notices: Notices = {
    notify: async (_tx, uid, notice) => mailed({ ...notice, uid }),
    notifyAll: async (_tx, all) => all.forEach(mailed),
  }
  const make = (lever: Lever): FollowTrading =>
    createFollow({
      office: officeOn({ database, clock, proofs: own, notices }),
      database,
      clock,
      log,
      lever,
      reads: market.reads,
      texts: copyTexts(),
      programs: { ledger: createLedger(), account: async ({ email }) => 900_000 + email.length },
      once: createIdempotency({ database, clock, secrets: createSecrets('follow stage'), log }),
      coins: createCurrencyReads({ list: () => listCurrencies(database), clock, lastPrice: () => undefined, quoteAge: () => undefined }),
      proofs: own,
      notices,
      admit: () => {
        if (!admits) throw new ApiProblem('ledger_inconsistent')
      },
      rowChanged: () => {},
      queueChanged: () => {},
    })
  const follows = stage.levers.map(make)

  async function followAt<N extends FollowCall>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    key?: string,
    lang = 'en',
  ) {
    const row: CallRow = contract[name]
    const handlers = follows[node]!.handlers as unknown as Record<string, Handler<CallRow>>
    const caller = { lang, token: 't', agent: '', ip: '127.0.0.1', user: { uid, session: 's' }, ...(key !== undefined && { key }) }
    return row.output.parse(await handlers[name]!(row.input.parse(fields), caller)) as CallOutput<N>
  }
  const follow = <N extends FollowCall>(name: N, uid: number, fields?: Record<string, string>, key?: string, lang?: string) =>
    followAt(0, name, uid, fields, key, lang)
  /** Makes a trader of a customer. */
  async function accept(uid: number): Promise<void> {
    await follow('follow.apply', uid, { nickname: `T${uid}`, introduction: 'I trade bitcoin' })
    const { id } = await database.db.selectFrom('trader_application').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()
    await database.transaction((tx) => follows[0]!.queues[0].decide(tx, reviewer('ann'), 'office.traderApprove', { id }))
  }

  return {
    ...stage,
    follow,
    followAt,
    accept,
    follows,
    mails,
    frozen,
    setAdmits: (set: boolean) => void (admits = set),
    /** All copies are in line with their traders. */
    async copied(): Promise<void> {
      await stage.settled()
      for (const one of follows) await one.pass()
    },
    /** A customer who was accepted as a trader. */
    async trader(amount = '100000'): Promise<number> {
      const uid = await stage.customer(amount)
      await write(
        1,
        database.db.insertInto('account').values({
          id: uid,
          email: `u${uid}@mail.example`,
          mobile: null,
          password_hash: 'x',
          pay_password_hash: 'x',
          nickname: `u${uid}`,
          head_portrait: '',
          signature: '',
          credit_score: 100,
          level: 2,
          status: 'active',
          lang: 'en',
          invite_code: String(uid),
          invited_by: null,
          demo: false,
          withdraw_hold_until: null,
          created_at: stage.now(),
        }),
      )
      await accept(uid)
      return uid
    },
    async stop(): Promise<void> {
      for (const one of follows) await one.stop()
      await stage.stop()
    },
  }
}
export type FollowStage = ReturnType<typeof followStageOn>
