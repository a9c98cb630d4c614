import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { amountMax } from '#api-server/wallet/amount.rules.ts'
import { balanceOf } from '#api-server/wallet/assets.rules.ts'
import { amountOf, freshUsd, fundingAccount, mustBeOpen, type WalletContext } from '#api-server/wallet/context.ts'
import { isQuoteGood, quoteLifeMs, ratesOf } from '#api-server/wallet/exchange.rules.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import { tradeMoved } from '#contract/functions/trade.moved.function.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'
import { exact, isLess } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { randomToken } from '#server-kit/security/secrets.ts'

type Calls = Pick<typeof walletCalls, 'wallet.getExchangeRate' | 'wallet.exchange'>
const idBytes = 18

/** Handlers of exchanges at a quoted rate. The platform is the counterparty: account `convert` of both currencies. */
export function exchangeHandlers(context: WalletContext): Handlers<Calls> {
  const { ledger, once, moves, clock, changed, balances, coins, parameters, proofs } = context

  /** Finds two currencies. @throws ApiProblem currency_unknown, currencies_same */
  async function pair(fromId: number, toId: number) {
    const [from, to] = [await coins.one(fromId, 'from_currency_id'), await coins.one(toId, 'to_currency_id')]
    if (from.id === to.id) throw new ApiProblem('currencies_same', { field: 'to_currency_id' })
    return { from, to }
  }
  /** @returns the minimum amount of the first currency @throws ApiProblem('currency_closed') when one of them cannot be exchanged */
  async function minOf({ from, to }: { from: Currency; to: Currency }, tx?: Tx): Promise<string> {
    mustBeOpen(from, 'from_currency_id')
    mustBeOpen(to, 'to_currency_id')
    const rules = await parameters.coins(tx)
    const of = ({ code }: Currency) => rules.find((rule) => rule.currency === code && rule.exchange)
    const own = of(from)
    if (!own) throw new ApiProblem('currency_closed', { field: 'from_currency_id' })
    if (!of(to)) throw new ApiProblem('currency_closed', { field: 'to_currency_id' })
    return own.exchange_min
  }

  /** By the prices of this moment. @throws ApiProblem('price_stale') */
  function ratesNow({ from, to }: { from: Currency; to: Currency }, spread: string) {
    const [fromUsd, toUsd] = [freshUsd(context, from), freshUsd(context, to)]
    const rates = fromUsd && toUsd ? ratesOf(fromUsd, toUsd, spread) : undefined
    if (!rates) throw new ApiProblem('price_stale')
    return rates
  }

  return {
    'wallet.getExchangeRate': async ({ from_currency_id, to_currency_id }, { user }) => {
      const { from, to } = await pair(from_currency_id, to_currency_id)
      const min = await minOf({ from, to })
      const { spread, tolerance } = await parameters.exchange()
      const rates = ratesNow({ from, to }, spread)
      const created_at = clock.now()
      const quote = {
        id: randomToken(idBytes),
        uid: user.uid,
        from_id: from.id,
        to_id: to.id,
        created_at,
        expires_at: created_at + quoteLifeMs,
      }
      await moves.quote({ ...quote, rate: rates.rate, spread, net_rate: rates.netRate })
      const held = await balances.balance(user.uid, fundingAccount, from.id)
      return {
        quote_id: quote.id,
        from_currency_id: from.id,
        to_currency_id: to.id,
        from_code: from.code,
        to_code: to.code,
        rate: rates.rate,
        spread: exact(spread),
        tolerance: exact(tolerance),
        net_rate: rates.netRate,
        available: balanceOf([held], undefined).available,
        min: exact(min),
        from_scale: from.scale,
        to_scale: to.scale,
        expires: quote.expires_at,
      }
    },
    'wallet.exchange': async (input, caller) => {
      const { uid } = caller.user
      const { from, to } = await pair(input.from_currency_id, input.to_currency_id)
      const paid = amountOf(input.amount, from)
      const { tolerance } = await parameters.exchange()
      const done = await once.run(caller, { call: 'wallet.exchange', input }, async (tx) => {
        if ((await proofs.standing(uid, tx)).status === 'frozen') throw new ApiProblem('account_frozen')
        if (isLess(paid, await minOf({ from, to }, tx))) throw new ApiProblem('amount_too_small', { field: 'amount' })
        const quote = await moves.lockQuote(tx, uid, input.quote_id)
        if (quote?.from_id !== from.id || quote.to_id !== to.id) throw new ApiProblem('quote_unknown')
        const time = clock.now()
        if (!isQuoteGood(quote, time)) throw new ApiProblem('quote_expired')
        const { rate } = ratesNow({ from, to }, quote.spread)
        if (tradeMoved.run({ shown: quote.rate, price: rate, tolerance })) throw new ApiProblem('price_changed')
        const received = walletExchangeReceived.run({ amount: paid, rate: quote.net_rate, scale: to.scale })
        if (!new Big(received).gt(0)) throw new ApiProblem('amount_too_small', { field: 'amount' })
        // Larger than any balance, and than the ledger accepts.
        if (isLess(amountMax, received)) throw new ApiProblem('insufficient_balance')
        const row = { uid, quote_id: quote.id, from_id: from.id, to_id: to.id, paid, received, rate: quote.net_rate, created_at: time }
        const id = await moves.exchange(tx, row)
        await ledger.post(tx, {
          kind: 'exchange',
          source: `exchange:${id}`,
          uid,
          at: time,
          postings: [
            { account: { uid, kind: fundingAccount, part: 'available' }, currency: from.id, amount: `-${paid}` },
            { account: { platform: 'convert' }, currency: from.id, amount: paid },
            { account: { platform: 'convert' }, currency: to.id, amount: `-${received}` },
            { account: { uid, kind: fundingAccount, part: 'available' }, currency: to.id, amount: received },
          ],
        })
        return { id, paid, received, rate: exact(quote.net_rate), from_code: from.code, to_code: to.code, time }
      })
      changed(uid)
      return done
    },
  }
}
