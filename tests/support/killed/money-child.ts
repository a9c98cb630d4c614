import { createHash, randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { createIdempotency } from '#api-server/idempotency/keys.ts'
import { freeze, release } from '#api-server/ledger/ledger.ts'
import { ApiProblem } from '#contract/problem.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import type { Caller } from '#server-kit/http/http.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { auditedMigrations, coins, customersOf, mine, moved, stageLedger } from '#tests/support/databases/ledger-stage.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while it moves money. Its arguments are folder and address of the database; its first line of standard input
 * contains how many ms its clock is ahead, `on` or `end`, and the keys to retry first. It prints `open <ms>`, then `try <key>` before each
 * call with a new key and `done <key>` or `no <key>` for the outcome. With `end` it tries no new keys and exits. The effect of a key is
 * derived from the key.
 */
const [dataDir = '', databaseUrl] = process.argv.slice(2)
const clients = 8

async function run(): Promise<void> {
  const first = await new Promise<string>((done) => createInterface(process.stdin).once('line', done))
  const [ahead, how, ...again] = first.split(' ').filter(Boolean)
  const clock = { now: () => Date.now() + Number(ahead) }
  const from = performance.now()
  const onFatal = () => process.exit(70)
  const log = createLog('silent')
  const database = await openDatabase({ dataDir, databaseUrl, log, onFatal, migrations: auditedMigrations })
  say(`open ${Math.round(performance.now() - from)}`)
  const { ledger } = await stageLedger(database)
  const once = createIdempotency({ database, clock, secrets: createSecrets('k'.repeat(32)), log })

  function linesOf(uid: number, way: number) {
    if (way < 2)
      return {
        kind: 'credit',
        postings: [{ account: { platform: 'external_in' }, currency: coins.usdt, amount: '-5' }, mine(uid, '5')],
      } as const
    if (way < 5) return { kind: 'transfer', postings: moved(uid, '2', 'change', 'lever') } as const
    if (way < 7) return { kind: 'transfer', postings: moved(uid, '3', 'lever', 'change') } as const
    if (way < 9) return { kind: 'withdraw_request', postings: freeze(uid, 'legal', coins.usdt, '1') } as const
    return { kind: 'withdraw_cancel', postings: release(uid, 'change', coins.usdt, '1') } as const
  }

  async function call(key: string): Promise<void> {
    const [seed = 0, other = 0] = createHash('sha256').update(key).digest()
    const uid = customersOf[seed % customersOf.length]!
    const caller: Caller = { lang: 'en', token: '', agent: '', ip: '', key, user: { uid, session: '' } }
    const { kind, postings } = linesOf(uid, other % 10)
    const prove = other % 3 === 0 ? { prove: async () => {} } : {}
    try {
      await once.run(caller, { call: 'wallet.transfer', input: { key }, ...prove }, async (tx) => {
        const id = await ledger.post(tx, { kind, source: `${key}:${randomUUID()}`, uid, at: Date.now(), postings })
        return { id }
      })
      say(`done ${key}`)
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'insufficient_balance') return say(`no ${key}`)
      // The outcome is unknown yet on a busy machine; a client retries in this case.
      if (error instanceof ApiProblem && (error.code === 'outcome_unknown' || error.code === 'busy')) return call(key)
      // A release of more than is frozen is a bug of the caller, and is refused as well.
      if ((error as { constraint?: string }).constraint === 'ledger_account_held') return say(`no ${key}`)
      throw error
    }
  }

  for (const key of again) await call(key)
  if (how === 'end') return database.close()
  const client = async () => {
    for (;;) {
      const key = randomUUID()
      say(`try ${key}`)
      await call(key)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

run().catch((error: unknown) => {
  // With its causes.
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(1)
})
