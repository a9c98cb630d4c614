import type { Currency } from '#api-server/currency/currency.reads.ts'
import { type AcceptanceDeps, type Asked, acceptance } from '#api-server/kit/acceptance.ts'
import { freeze, type LedgerEvent } from '#api-server/ledger/ledger.ts'
import type { MicContext } from '#api-server/mic/context.ts'
import type { OptionRow } from '#api-server/mic/mic.store.ts'
import type { CallOutput } from '#contract/contract.ts'

/** An option that a customer has asked for. */
interface AskedOption extends Asked {
  coin: Currency
  /** The customer's own key of the order. */
  oid: string | undefined
  /** The option, by the terms and the price of the moment. @throws ApiProblem */
  decide(): OptionRow
  /** @param row the option that has the customer's key already @throws ApiProblem('key_reused') when it is another one */
  same(row: OptionRow): OptionRow
  /** Data of the call's answer. */
  answer(row: OptionRow): CallOutput<'mic.orderOpen'>
}

const account = 'micro'
const nameOf = ({ uid, oid }: { uid: number; oid?: string | null | undefined }) => `${uid} ${oid}`

/** Opens options: writes them and freezes their stakes. A customer may have any number. */
export const openings = (context: AcceptanceDeps & Pick<MicContext, 'store' | 'ledger'>) =>
  acceptance(context, {
    call: 'mic.orderOpen',
    takes: {
      account,
      coins: ({ coin }: AskedOption) => [coin.id],
      of: ({ currency_id: currency, stake: held }: OptionRow) => ({ currency, held }),
    },
    /** Options with a customer's key that a call has. With the locks of the balances no other node opens one meanwhile. */
    async look(tx, asked) {
      const keys = asked.flatMap(({ uid, oid }) => (oid === undefined ? [] : { uid, oid }))
      return new Map((await context.store.byKeys(tx, keys)).map((row) => [nameOf(row), row]))
    },
    decide(work, known) {
      const before = work.oid === undefined ? undefined : known.get(nameOf(work))
      if (before) return { answer: work.answer(work.same(before)) }
      const row = work.decide()
      return { answer: work.answer(row), effect: row }
    },
    note: (row, known) => void (row.oid !== null && known.set(nameOf(row), row)),
    async write(tx, accepted) {
      const rows = accepted.map(({ effect }) => effect)
      const events = accepted.map(({ effect: { id, uid, currency_id, stake, opened_at: at }, key }): LedgerEvent => {
        return { kind: 'option_open', source: `option:${id}`, uid, at, key, postings: freeze(uid, account, currency_id, stake) }
      })
      await Promise.all([context.store.add(tx, rows), context.ledger.postAll(tx, events)])
      return rows
    },
  })
