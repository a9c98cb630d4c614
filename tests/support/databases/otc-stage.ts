import { otcTexts } from '#api-server/file-texts.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { createOtc, type OtcDeps } from '#api-server/otc/otc.ts'
import { readLimits } from '#api-server/wallet/withdraw/limits.reads.ts'
import type { CallRow } from '#contract/call.ts'
import { backOfficeOtcCalls } from '#contract/calls/office.otc.calls.ts'
import type { otcCalls } from '#contract/calls/otc.calls.ts'
import { type CallOutput, contract } from '#contract/contract.ts'
import type { Handler, Operator, UserCaller } from '#server-kit/http/http.ts'
import { createLog } from '#server-kit/ops/log.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { officeOn, take } from '#tests/support/databases/office-stage.ts'
import { openWalletStage, type WalletStage } from '#tests/support/databases/wallet-stage.ts'

type OtcCall = keyof typeof otcCalls
export const chief: Operator = { id: 1, name: 'chief', roles: ['administrator'], fresh: true }
export const both: Operator = { id: 2, name: 'both', roles: ['administrator', 'reviewer'], fresh: true }
const typed = { coin: 'BTC', side: 'buy', price: '50000.5', amount_min: '0.01', amount_max: '2', whole: '5' }

/** OTC over the stage of the wallet: customers, and the administrators and reviewers who decide. */
export const openOtcStage = async (engine: Pick<Engine, 'open'>) => otcStageOn(await openWalletStage(engine))

/** @param nodes number of server processes, as seen by the keys */
export function otcStageOn(stage: WalletStage, nodes = 1) {
  const mails: string[] = []
  const { database, clock, coins, balances, secrets, proofs, announced } = stage
  const notices: Notices = {
    notify: async (_tx, uid, { kind, figures }) => void mails.push(`${uid} ${kind} ${JSON.stringify(figures)}`),
    notifyAll: async () => {},
  }
  const deps: Omit<OtcDeps, 'once'> = {
    limits: () => readLimits(database),
    log: createLog('silent'),
    database,
    clock,
    coins,
    balances,
    ledger: createLedger(),
    texts: otcTexts(),
    proofs,
    notices,
    office: officeOn({ database, clock, proofs, notices }),
    changed: (uid) => void announced.changed.push(uid),
    rowChanged: (uid, topic, changed) =>
      void announced.rows.push(`${uid} ${topic} ${changed?.change} ${changed?.row.status} v${changed?.row.version}`),
    queueChanged: () => void announced.queue++,
    desk: true,
  }
  const once = () => createIdempotency({ database, clock, secrets, log: createLog('silent') })
  const otcs = Array.from({ length: nodes }, () => createOtc({ ...deps, once: once() }))
  const otc = otcs[0]!
  async function callAt<N extends OtcCall>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    key?: string,
    lang = 'en',
  ): Promise<CallOutput<N>> {
    const handlers = otcs[node]!.handlers as unknown as Record<string, Handler<CallRow>>
    const row: CallRow = contract[name]
    const caller: UserCaller = {
      lang,
      token: 't',
      agent: '',
      ip: '127.0.0.1',
      user: { uid, session: 's' },
      ...(key !== undefined && { key }),
    }
    return row.output.parse(await handlers[name]!(row.input.parse(fields), caller)) as CallOutput<N>
  }
  const call = <N extends OtcCall>(name: N, uid: number, fields?: Record<string, string>, key?: string, lang?: string) =>
    callAt(0, name, uid, fields, key, lang)
  const inTx = <A>(work: Parameters<typeof database.transaction<A>>[0]) => database.transaction(work)
  const propose = (over: Record<string, string> = {}, by = chief) =>
    inTx((tx) => otc.offers.propose(tx, backOfficeOtcCalls['office.otcOfferSave'].input.parse({ ...typed, ...over }), by))
  const agree = (id: number, by = both) => inTx((tx) => otc.offers.agree(tx, id, by))

  return {
    stage,
    otc,
    mails,
    call,
    callAt,
    inTx,
    propose,
    agree,
    /** The program on a node looks at the market. */
    desk: (node: number) => otcs[node]!.desk(),
    start: () => createOtc({ ...deps, desk: false, once: once() }).start(),
    close: (id: number) => inTx((tx) => otc.offers.close(tx, id, chief)),
    approve: (id: number) => take(otc.queues[0], 'office.otcApprove', { id }),
    reject: (id: number, reason = 'no proof') => take(otc.queues[0], 'office.otcReject', { id, reason }),
    async offer(over: Record<string, string> = {}): Promise<number> {
      const { id } = await propose(over)
      await agree(id)
      return id
    },
    async customer(coins: Record<string, string> = { USDT: '100000', BTC: '3' }): Promise<number> {
      const uid = await stage.user()
      for (const [code, amount] of Object.entries(coins)) await stage.credit(uid, code, amount)
      return uid
    },
    order: (uid: number, offer_id: number, amount: string, key?: string) =>
      call('otc.order', uid, { offer_id: String(offer_id), amount }, key),
    cancel: (uid: number, id: number, key?: string) => call('otc.cancel', uid, { id: String(id) }, key),
  }
}
export type OtcStage = ReturnType<typeof otcStageOn>
