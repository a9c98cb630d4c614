import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createLedger } from '#api-server/ledger/ledger.store.ts'
import { freeze } from '#api-server/ledger/ledger.ts'
import { sealDetails } from '#api-server/wallet/context.ts'
import { createFundingStore, type Funding } from '#api-server/wallet/deposit/funding.store.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { openSecrets, type Secrets } from '#server-kit/security/secrets.ts'
import { expectSoundMoney } from '#tests/support/audit.ts'
import type { Engine } from '#tests/support/databases/engines.ts'
import { type Person, person } from '#tests/support/people/people.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { askBackOffice, auditRows, type BackOfficeAnswer } from '#tests/support/servers/back-office-stage.ts'
import { type ConsoleStage, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'

export type BackOfficeCall = keyof typeof backOfficeCalls
/** Reviewers ann and bob, administrator chief, and both, who has both roles. */
export type Who = 'ann' | 'bob' | 'chief' | 'both'

const usdt = 3

/**
 * A back office with operators on an API server with money. Each test has its own customer, and the ledger is audited at the end.
 * @param standing as for `startApi`
 */
export function useBackOfficeMoney(engine: Engine, { standing = false }: { standing?: boolean } = {}) {
  let api: TestApi
  let operators: ConsoleStage
  let secrets: Secrets
  let customer: Person
  let before: string[]
  const known = new Map<Who, TestOperator>()

  beforeAll(async () => {
    const place = await engine.place()
    api = await startApi({
      place,
      standing,
      async operators(database) {
        operators = await startConsole(database)
        return operators.console.gate
      },
    })
    secrets = openSecrets({ dataDir: place.dataDir })
    known.set('ann', await operators.operator('ann', ['reviewer']))
    known.set('bob', await operators.operator('bob', ['reviewer']))
    known.set('chief', await operators.operator('chief', ['administrator']))
    known.set('both', await operators.operator('both', ['administrator', 'reviewer']))
  })
  afterAll(async () => {
    if (api) await expectSoundMoney(api.database, { decisions: true })
    await operators?.close()
    await api?.close()
  })
  beforeEach(async () => {
    customer = await person(api.origin, { level: '2' })
    before = await auditRows(api.database)
  })

  const ask = (
    who: Who | TestOperator,
    call: BackOfficeCall,
    fields: Record<string, string> = {},
    key?: string,
  ): Promise<BackOfficeAnswer> => {
    const { method, path } = backOfficeCalls[call]
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
    return askBackOffice(api.origin, method, `/console/back-office/api${path}`, {
      cookie: (typeof who === 'string' ? known.get(who)! : who).cookie,
      fields,
      headers,
    })
  }
  /** A call that answers with a file. */
  async function file(who: Who, call: BackOfficeCall): Promise<{ text: string; headers: Headers }> {
    const headers = { cookie: known.get(who)!.cookie }
    const answer = await fetch(`${api.origin}/console/back-office/api${backOfficeCalls[call].path}`, { headers })
    return { text: await answer.text(), headers: answer.headers }
  }
  /** The outcome of a call: `200 approved`, `403 own_decision`. */
  const said = ({ status, json }: BackOfficeAnswer) => `${status} ${json.name ?? (json.data as { status?: string } | null)?.status ?? 'ok'}`
  /** Rows of the log since the start of the test. */
  const written = async () => (await auditRows(api.database)).slice(before.length)

  /** A waiting request, as the wallet stores it; the amount of a withdrawal is frozen. */
  async function waiting(type: 'recharge' | 'withdraw', amount: string, usd: string | null = amount): Promise<Funding> {
    const { uid } = customer
    if (type === 'withdraw') await api.post('/test/credit', { user: String(uid), currency: 'USDT', amount })
    const about = { uid, currency_id: usdt, created_at: Date.now() }
    const [fee, received] = type === 'withdraw' ? ['1', String(Number(amount) - 1)] : ['0', amount]
    return api.database.transaction(async (tx) => {
      const row = await createFundingStore(api.database).create(
        tx,
        {
          ...about,
          type,
          channel: type === 'withdraw' ? 'address' : 'voucher',
          chain: 'TRC20',
          target: 'T***',
          images: '[]',
          amount,
          fee,
          received,
          usd,
          btc: type === 'withdraw' ? '0.001' : null,
          status: 'reviewing',
          details: sealDetails(secrets, about, [{ field: 'address', value: 'T-whole' }]),
        },
        'customer',
      )
      if (type === 'withdraw')
        await createLedger().post(tx, {
          kind: 'withdraw_request',
          source: `withdraw:${row.id}`,
          uid,
          at: about.created_at,
          postings: freeze(uid, 'change', usdt, amount),
        })
      return row
    })
  }
  /** Ledger lines of a request as `kind account amount`, sorted. */
  async function lines({ type, id }: Pick<Funding, 'type' | 'id'>): Promise<string[]> {
    const rows = await api.database.db
      .selectFrom('ledger_posting as p')
      .innerJoin('ledger_event as e', 'e.id', 'p.event_id')
      .innerJoin('ledger_account as a', 'a.id', 'p.account_id')
      .select(['e.kind', 'a.key', 'a.part', sql<string>`trim_scale(p.amount)::text`.as('amount')])
      .where('e.source', '=', `${type}:${id}`)
      .where('e.kind', '<>', 'withdraw_request')
      .execute()
    return rows.map(({ kind, key, part, amount }) => `${kind} ${part ?? key.replace(/^platform:|#\d+$/g, '')} ${amount}`).sort()
  }
  const balance = async () => {
    const rows = await api.database.db
      .selectFrom('ledger_account')
      .select(['part', sql<string>`trim_scale(balance)::text`.as('balance')])
      .where('uid', '=', customer.uid)
      .execute()
    return Object.fromEntries(rows.map(({ part, balance: text }) => [part, text]))
  }
  return { ask, file, said, written, waiting, lines, balance, api: () => api, operators: () => operators, customer: () => customer }
}
