import type { PromiseName } from '#api-server/ledger/audit/audit.check.ts'

/** Explains a broken invariant to the person who runs the server: its meaning, and the next step, each in one or two sentences. */
export interface Advice {
  readonly means: string
  readonly todo: string
}

const restore =
  'Stop the server and keep a copy of its database. Compare the rows of the breaches with the newest backup for which `npm run audit` exits with 0; put them back, or restore that backup.'
const report = 'If nobody has changed the database by hand, this is a bug of the product: report the breaches with the log of the server.'

const changed = (means: string): Advice => ({ means, todo: restore })
const differs = (means: string): Advice => ({ means, todo: `${restore} ${report}` })

export const adviceOf: Readonly<Record<PromiseName, Advice>> = {
  I1: changed(
    'Money has appeared or disappeared without a counterpart, so a line of the ledger was changed, added or removed outside of the product.',
  ),
  I2: differs('An account shows less than zero, so somebody could spend the same money twice.'),
  I3: differs('An amount is frozen that no open order, withdrawal or position accounts for, or the other way round.'),
  I4: changed('Idempotency keys of money calls are missing, so a repeated call could move the same money again.'),
  I5: differs('A row is in a state that its recorded steps do not lead to.'),
  I6: differs('A row of a product and its lines in the ledger say different things, or something was paid twice or not at all.'),
  I7: differs('A buyer waits in an order book at a price at which a seller waits too; they should have met.'),
  I8: differs('An order has got more than it asked for, or another price than it agreed to.'),
  I9: changed('A line of the ledger is not what it was when it was written, or lines are missing at the end of an account.'),
  I10: differs('Money was credited before somebody had reviewed the deposit.'),
  P1: differs(
    'The log of prices is not what it was when it was written: a price was changed, added or removed, so nobody can check any more what was settled by it.',
  ),
  D1: changed('A row of the audit log of the back office was changed, or rows before it were removed.'),
  D2: {
    means:
      'A decision about money or an identity is stored, but the audit log of the back office has no row of it: the row was removed, or the decision was not made at the back office.',
    todo: `Ask the operator of the breach about the decision. ${restore} A decision that nobody has made at the back office must be examined before money moves again.`,
  },
}
