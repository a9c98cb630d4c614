import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import type { Handlers } from '#server-kit/http/http.ts'

export function currencyHandlers(coins: CurrencyReads): Pick<Handlers<typeof walletCalls>, 'currency.list'> {
  return {
    'currency.list': async () => ({
      list: (await coins.list()).map((coin) => ({
        id: coin.id,
        name: coin.name,
        currency_code: coin.code,
        sub_name: coin.chains,
        status: coin.status,
        scale: coin.scale,
        rate: coins.usd(coin)?.price ?? '0',
      })),
    }),
  }
}
