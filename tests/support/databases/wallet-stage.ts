import { createAccounts } from '#api-server/account/accounts.ts'
import { createCardReads } from '#api-server/bank/card.reads.ts'
import { createCurrencyReads } from '#api-server/currency/currency.reads.ts'
import { listCurrencies, seedCurrencies } from '#api-server/currency/currency.store.ts'
import { statementTexts } from '#api-server/file-texts.ts'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { createLedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { migrations } from '#api-server/migrations.ts'
import { seedParameters } from '#api-server/wallet/parameter.store.ts'
import { createWallet, type WalletDeps } from '#api-server/wallet/wallet.ts'
import type { AccountKind } from '#contract/accounts.ts'
import type { CallRow } from '#contract/call.ts'
import { type CallName, type CallOutput, contract } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import { write } from '#server-kit/db/db.ts'
import type { Handler, UserCaller } from '#server-kit/http/http.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createSettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { noticesOn } from '#tests/support/databases/notices.ts'
import { officeOn, reviewer } from '#tests/support/databases/office-stage.ts'

export const dayMs = 24 * 3_600_000
export const start = Date.parse('2026-11-20T09:00:00Z')
/** Valid proofs of a customer on this stage; all others are refused. */
export const proofsOf = { pay_password: 'pay', code: '000001' } as const

/** Of an operator about a deposit or withdrawal. */
export type Decision =
  | { action: 'approve'; fourEyesUsd: string }
  | { action: 'reject'; reason: string }
  | { action: 'sent'; reference: string }
  | { action: 'done' }

export interface Somebody {
  level?: number
  holdUntil?: number | null
  status?: 'active' | 'frozen'
}

/**
 * The wallet on a complete database, with a stopped clock, given prices and fixed proofs.
 * @param nodes number of server processes, as seen by the keys; they share the connections
 */
export async function openWalletStage(engine: Pick<Engine, 'open'>, nodes = 1) {
  const database = await engine.open(migrations)
  const log = createLog('silent')
  let now = start
  const clock = createSettableClock({ now: () => now })
  const secrets = createSecrets('wallet stage')
  await seedCurrencies(database)
  await seedParameters(database)
  const noticed = noticesOn(database, clock)
  const accounts = await createAccounts({
    database,
    clock,
    log,
    bus: createLocalBus(log),
    secrets,
    post: { put: async () => {} },
    notices: noticed.notices,
    demo: false,
  })
  const coins = createCurrencyReads({ list: () => listCurrencies(database), clock, lastPrice: () => undefined, quoteAge: () => undefined })
  const ledger = createLedger()
  const balances = createLedgerReads(database)
  let fourEyesUsd = '10000'
  const announced = { changed: [] as number[], rows: [] as string[], queue: 0, claimed: [] as string[], proved: [] as string[] }
  const prove = (what: string, right: boolean, problem: 'pay_password_wrong' | 'code_wrong' | 'second_factor_wrong') => {
    announced.proved.push(what)
    if (!right) throw new ApiProblem(problem)
  }
  const proofs: WalletDeps['proofs'] = {
    ...accounts.proofs,
    payPassword: async (_caller, typed) => prove('pay', typed === proofsOf.pay_password, 'pay_password_wrong'),
    secondFactor: async () => prove('factor', true, 'second_factor_wrong'),
    async code(_caller, _scene, typed) {
      prove('code', typed === proofsOf.code, 'code_wrong')
      return { use: async () => void announced.proved.push('used') }
    },
  }
  const deps: Omit<WalletDeps, 'once'> = {
    database,
    clock,
    log,
    secrets,
    ledger,
    balances,
    notices: noticed.notices,
    coins,
    cards: createCardReads(database, secrets),
    proofs,
    office: { ...officeOn({ database, clock, proofs, notices: noticed.notices }), fourEyesUsd: async () => fourEyesUsd },
    async claim(uid, address) {
      if (!address.startsWith(`/api/upload/${uid}-`)) throw new ApiProblem('not_found', { field: 'url' })
      announced.claimed.push(address)
      return address
    },
    texts: statementTexts(),
    changed: (uid) => void announced.changed.push(uid),
    rowChanged: (uid, topic, changed) =>
      void announced.rows.push(`${uid} ${topic} ${changed?.change} ${changed?.row.id} ${changed?.row.status ?? ''}`.trim()),
    queueChanged: () => void announced.queue++,
  }
  const wallets = Array.from({ length: nodes }, () => createWallet({ ...deps, once: createIdempotency({ database, clock, secrets, log }) }))
  const wallet = wallets[0]!
  const prices = { BTC: '50000', ETH: '2500', SOL: '100', XRP: '0.5', BNB: '500', DOGE: '0.1' }
  for (const [code, price] of Object.entries(prices)) coins.setUsd(code, price)
  const ids = new Map((await coins.list()).map(({ code, id }) => [code, id]))
  const idOf = (code: string) => ids.get(code)!
  const callerOf = (uid: number, key?: string, lang = 'en'): UserCaller => ({
    lang,
    token: 't',
    agent: '',
    ip: '127.0.0.1',
    user: { uid, session: 's' },
    ...(key !== undefined && { key }),
  })
  const handlers = wallets.map((one) => ({ ...one.handlers, ...one.fundingHandlers }) as unknown as Record<string, Handler<CallRow>>)
  const [last] = await database.db.selectFrom('account').select('id').orderBy('id', 'desc').limit(1).execute()
  let people = last?.id ?? 100_000
  let credits = 0

  /** Validates input and output against the contract's row, as `mount` does. */
  async function callAt<N extends CallName>(
    node: number,
    name: N,
    uid: number,
    fields: Record<string, string> = {},
    key?: string,
    lang?: string,
  ): Promise<CallOutput<N>> {
    const row: CallRow = contract[name]
    const answer = row.output.parse(await handlers[node % nodes]![name]!(row.input.parse(fields), callerOf(uid, key, lang)))
    return answer as CallOutput<N>
  }

  return {
    database,
    wallet,
    coins,
    announced,
    clock,
    secrets,
    proofs: accounts.proofs,
    noticed,
    notices: noticed.notices,
    queues: wallet.queues,
    idOf,
    balances,
    /** Moves the clock; back with a minus. */
    later: (ms: number) => {
      now += ms
    },
    now: () => now,
    async user({ level = 2, holdUntil = null, status = 'active' }: Somebody = {}): Promise<number> {
      const id = ++people
      await write(
        1,
        database.db.insertInto('account').values({
          id,
          email: `u${id}@mail.example`,
          mobile: null,
          password_hash: 'x',
          pay_password_hash: 'x',
          nickname: `u${id}`,
          head_portrait: '',
          signature: '',
          credit_score: 100,
          level,
          status,
          lang: 'en',
          invite_code: String(id),
          invited_by: null,
          demo: false,
          withdraw_hold_until: holdUntil,
          created_at: now,
        }),
      )
      return id
    },
    /** Moves an available balance from one customer to another. */
    move: (from: { uid: number; kind: AccountKind }, to: { uid: number; kind: AccountKind }, currency: number, amount: string) =>
      database.transaction((tx) =>
        ledger.post(tx, {
          kind: 'transfer',
          source: `stage:${process.pid}:${++credits}`,
          uid: from.uid,
          at: now,
          postings: [
            { account: { uid: from.uid, kind: from.kind, part: 'available' }, currency, amount: `-${amount}` },
            { account: { uid: to.uid, kind: to.kind, part: 'available' }, currency, amount },
          ],
        }),
      ),
    change: (uid: number, set: { level?: number; mobile?: string; status?: 'active' | 'frozen'; withdraw_hold_until?: number | null }) =>
      write(1, database.db.updateTable('account').set(set).where('id', '=', uid)),
    /** Credits money from outside to an account. */
    credit: (uid: number, code: string, amount: string, kind: AccountKind = 'change') =>
      database.transaction((tx) =>
        ledger.post(tx, {
          kind: 'credit',
          source: `stage:${process.pid}:${++credits}`,
          uid,
          at: now,
          postings: [
            { account: { platform: 'external_in' }, currency: idOf(code), amount: `-${amount}` },
            { account: { uid, kind, part: 'available' }, currency: idOf(code), amount },
          ],
        }),
      ),
    callAt,
    call: <N extends CallName>(name: N, uid: number, fields: Record<string, string> = {}, key?: string, lang?: string) =>
      callAt(0, name, uid, fields, key, lang),
    /** An address that can be used at once. */
    async address(uid: number, code = 'USDT', chain = 'ERC20', usableFrom = 0): Promise<string> {
      const address = `0x${String(++credits).padStart(40, 'a')}`
      const row = { uid, currency_id: idOf(code), chain, name: 'mine', address, folded: address, qrcode: address, created_at: now }
      const values = { ...row, usable_from: usableFrom }
      const [made] = await write(1, database.db.insertInto('wallet_address').values(values).returning('id'))
      return String(made!.id)
    },
    /** Carries out a decision of an operator; the rule of two is that of the decision. */
    decide(type: 'recharge' | 'withdraw', id: number, decision: Decision, operator = { id: 1, name: 'olga' }) {
      if (decision.action === 'approve') fourEyesUsd = decision.fourEyesUsd
      const by = reviewer(operator.name, operator.id)
      return database.transaction<{
        id: number
        status: string
        approved_by: string
        four_eyes: boolean
        may_decide: boolean
        changed: number
      }>((tx) => {
        const { recharge, withdraw } = wallet.queues
        if (decision.action === 'sent') return withdraw.decide(tx, by, 'office.withdrawSent', { id, reference: decision.reference })
        if (decision.action === 'done') return withdraw.decide(tx, by, 'office.withdrawDone', { id })
        if (decision.action === 'approve')
          return type === 'recharge'
            ? recharge.decide(tx, by, 'office.rechargeApprove', { id })
            : withdraw.decide(tx, by, 'office.withdrawApprove', { id })
        const { reason } = decision
        return type === 'recharge'
          ? recharge.decide(tx, by, 'office.rechargeReject', { id, reason })
          : withdraw.decide(tx, by, 'office.withdrawReject', { id, reason })
      })
    },
    /** Requests that wait for an operator, oldest first. */
    waiting: (type: 'recharge' | 'withdraw', count: number) =>
      database.db
        .selectFrom('funding')
        .select(['id', 'uid', 'type', 'status', 'created_at'])
        .where('type', '=', type)
        .where('status', 'in', ['reviewing', 'approved', 'sent'])
        .orderBy('id')
        .limit(count)
        .execute(),
    /** `available/frozen` of one currency. */
    async has(uid: number, code: string, kind: AccountKind = 'change'): Promise<string> {
      const { available, frozen } = await balances.balance(uid, kind, idOf(code))
      return [available, frozen].map((amount) => amount.replace(/\.?0+$/, '') || '0').join('/')
    },
    /** All lines after an event, without the customer: `withdraw_request change:available USDT -100`. */
    async lines(after = 0): Promise<string[]> {
      const rows = await database.db
        .selectFrom('ledger_posting as p')
        .innerJoin('ledger_event as e', 'e.id', 'p.event_id')
        .innerJoin('ledger_account as a', 'a.id', 'p.account_id')
        .innerJoin('currency as c', 'c.id', 'a.currency')
        .select(['e.kind', 'a.key', 'c.code', 'p.amount'])
        .where('e.id', '>', after)
        .orderBy('e.id')
        .orderBy('p.line')
        .execute()
      return rows.map(
        ({ kind, key, code, amount }) => `${kind} ${key.replace(/^user:\d+:|#\d+$/g, '')} ${code} ${amount.replace(/\.?0+$/, '')}`,
      )
    },
    async lastEvent(): Promise<number> {
      const row = await database.db.selectFrom('ledger_event').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? 0
    },
  }
}
export type WalletStage = Awaited<ReturnType<typeof openWalletStage>>

/** The refusal of a call as name and field; an answer is returned as such. */
export const refused = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: unknown) => (error instanceof ApiProblem ? [error.code, error.field].filter(Boolean).join(' ') : Promise.reject(error)),
  )
