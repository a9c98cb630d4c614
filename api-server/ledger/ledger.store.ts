import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { constraints } from '#api-server/ledger/ledger.migration.ts'
import type { Ledger, LedgerEvent } from '#api-server/ledger/ledger.ts'
import { linesOf, stripes } from '#api-server/ledger/lines.rules.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Tx, write } from '#server-kit/db.ts'

/** A customer has too little: their problem. Anything else that the database refuses is a fault of ours. */
function told(error: unknown): unknown {
  const { constraint } = error as { constraint?: unknown }
  return constraint === constraints.covered ? new ApiProblem('insufficient_balance', { cause: error }) : error
}

/** The one writer of balances: an event is one statement. */
export function createLedger(): Ledger {
  async function post(tx: Tx, event: LedgerEvent): Promise<number> {
    const { kind, source, uid, at } = event
    const lines = linesOf(event, randomInt(stripes))
    const keys = lines.map((line) => line.key)
    const currencies = lines.map((line) => line.currency)
    const amounts = lines.map((line) => line.amount)
    const id = sql<number>`ledger_post(${kind}::text, ${source}::text, ${uid}::bigint, ${at}::bigint,
      ${keys}::text[], ${currencies}::int[], ${amounts}::numeric[])`
    try {
      const rows = await write(1, tx.insertInto('ledger_event').values({ id, kind, source, uid, at }).returning('id'))
      return rows[0]!.id
    } catch (error) {
      throw told(error)
    }
  }
  return { post }
}
