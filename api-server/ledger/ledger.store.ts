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
function problemOf(error: unknown): unknown {
  const { constraint } = error as { constraint?: unknown }
  return constraint === constraints.covered ? new ApiProblem('insufficient_balance', { cause: error }) : error
}

const posted = fixed<{ id: number }>(`insert into ledger_event (id, kind, source, uid, at, key_owner, key)
  select e.* from rows from (ledger_post_all($1::text[], $2::text[], $3::bigint[], $4::bigint[], $7::int[], $8::int[], $9::text[], $10::int[], $11::numeric[]),
    unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])) e (id, kind, source, uid, at, key_owner, key) returning id`)

/** Creates the only writer of balances. All events of a call are written in one statement. */
export function createLedger(): Ledger {
  async function postAll(tx: Tx, events: readonly LedgerEvent[]): Promise<number[]> {
    if (!events.length) return []
    const lines = linesOf(events, randomInt(stripes))
    const under = keyOf(tx)
    try {
      const rows = await write(
        events.length,
        posted(tx, [
          ...[events.map(({ kind }) => kind), events.map(({ source }) => source), events.map(({ uid }) => uid), events.map(({ at }) => at)],
          ...[events.map(({ key = under }) => key?.owner ?? null), events.map(({ key = under }) => key?.key ?? null)],
          ...[lines.map(({ event }) => event), lines.map(({ line }) => line)],
          ...[lines.map(({ key }) => key), lines.map(({ currency }) => currency), lines.map(({ amount }) => amount)],
        ]),
      )
      return rows.map(({ id }) => id)
    } catch (error) {
      throw problemOf(error)
    }
  }
  return { post: async (tx, event) => (await postAll(tx, [event]))[0]!, postAll }
}
