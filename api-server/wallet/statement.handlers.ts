import type { StatementFilter } from '#api-server/ledger/ledger.reads.ts'
import { codesOf, type WalletContext } from '#api-server/wallet/context.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { exact } from '#contract/money.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange, countMax, offsetOf } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'

type Calls = Pick<typeof walletCalls, 'wallet.getWalletLog' | 'wallet.exportLog'>
const columns = ['time', 'kind', 'account', 'part', 'coin', 'amount', 'balance', 'source'] as const
/** Of one file. */

/** Handlers of the statement. */
export function statementHandlers({ balances, coins, texts, clock }: WalletContext): Handlers<Calls> {
  function filterOf({ currency_id, account, kind, from, to }: CallInput<'wallet.exportLog'>): StatementFilter {
    checkTimeRange({ from, to })
    return { currency: currency_id, account, kind, from, to }
  }

  return {
    'wallet.getWalletLog': async ({ page, size, ...filter }, { user }) => {
      const { rows, total } = await balances.statement(user.uid, filterOf(filter), offsetOf({ page, size }))
      const codeOf = await codesOf(coins)
      return {
        total: Math.min(total, countMax),
        list: rows.map(({ currency, amount, balance, ...row }) => ({
          ...row,
          currency_id: currency,
          currency_code: codeOf(currency),
          amount: exact(amount),
          balance: exact(balance),
        })),
      }
    },
    'wallet.exportLog': async (filter, { user, lang }) => {
      const { rows } = await balances.statement(user.uid, filterOf(filter), exportPage)
      const codeOf = await codesOf(coins)
      const say = (key: string) => texts.say(lang, key)
      return exportOf('tessera', clock.now(), rows, {
        titles: columns.map((column) => say(`column_${column}`)),
        line: (row) => [
          ...[timeCell(row.time), say(`kind_${row.kind}`), say(`account_${row.account}`), say(row.part)],
          ...[codeOf(row.currency), exact(row.amount), exact(row.balance), row.source],
        ],
      })
    },
  }
}
