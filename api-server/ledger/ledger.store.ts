import { randomInt } from 'node:crypto'
import { keyOf } from '#api-server/idempotency/idempotency.ts'
import { constraints } from '#api-server/ledger/ledger.migration.ts'
import type { Ledger, LedgerEvent } from '#api-server/ledger/ledger.ts'
import { linesOf, stripes } from '#api-server/ledger/lines.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { fixed, type Tx, write } from '#server-kit/db/db.ts'

/**
 * Maps errors of the database. An insufficient balance is the customer's problem; every other refusal of the database is a bug of the
 * server.
 */
function told(error: unknown): unknown {
  const { constraint } = error as { constraint?: unknown }
  return constraint === constraints.covered ? new ApiProblem('insufficient_balance', { cause: error }) : error
}

const posted = fixed<{ id: number }>(`insert into ledger_event (id, kind, source, uid, at, key_owner, key)
  values (ledger_post($1::text, $2::text, $3::bigint, $4::bigint, $5::text[], $6::int[], $7::numeric[]), $1, $2, $3, $4, $8, $9) returning id`)

/** Creates the only writer of balances. An event is written in one statement. */
export function createLedger(): Ledger {
  async function post(tx: Tx, event: LedgerEvent): Promise<number> {
    const { kind, source, uid, at } = event
    const lines = linesOf(event, randomInt(stripes))
    const keys = lines.map((line) => line.key)
    const currencies = lines.map((line) => line.currency)
    const amounts = lines.map((line) => line.amount)
    const under = keyOf(tx)
    try {
      const values = [kind, source, uid, at, keys, currencies, amounts, under?.owner ?? null, under?.key ?? null]
      const rows = await write(1, posted(tx, values))
      return rows[0]!.id
    } catch (error) {
      throw told(error)
    }
  }
  return { post }
}
