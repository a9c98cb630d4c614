import Big from 'big.js'
import type { Balance, Books } from '#api-server/back-office/ports.ts'
import type { Currency, CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { Holding, LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import { exact, plain } from '#contract/money.ts'

/** Decimals of a worth in USD; what lies beyond is cut. */
const usdScale = 8

/** Balances and movements of customers, with the coins' names and their worth at the last price. */
export function createBooks(ledger: LedgerReads, coins: CurrencyReads): Books {
  function worthOf(held: readonly Holding[], list: readonly Currency[]): Balance[] {
    return held.flatMap(({ kind, currency, available, frozen }) => {
      const coin = list.find(({ id }) => id === currency)
      const both = new Big(available).plus(frozen)
      if (!coin || both.eq(0)) return []
      const price = coins.usd(coin)?.price ?? '0'
      const usd = plain(both.times(price).round(usdScale, Big.roundDown))
      return [{ account: kind, currency_code: coin.code, available: exact(available), frozen: exact(frozen), usd }]
    })
  }
  return {
    async balances(uids) {
      const [held, list] = await Promise.all([ledger.balancesOf(uids), coins.list()])
      return new Map([...held].map(([uid, own]) => [uid, worthOf(own, list)]))
    },
    async movements(uid, count) {
      const [{ rows }, list] = await Promise.all([ledger.statement(uid, {}, { offset: 0, size: count }), coins.list()])
      return rows.map(({ id, time, kind, account, currency, amount, balance }) => ({
        id,
        time,
        kind,
        account,
        currency_code: list.find((coin) => coin.id === currency)?.code ?? String(currency),
        amount: exact(amount),
        balance: exact(balance),
      }))
    },
    async held() {
      const [rows, list] = await Promise.all([ledger.platform('convert'), coins.list()])
      return rows.map(({ currency, balance }) => ({
        currency_code: list.find(({ id }) => id === currency)?.code ?? String(currency),
        balance: exact(balance),
      }))
    },
  }
}
