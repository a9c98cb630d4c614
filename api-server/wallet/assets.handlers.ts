import { balanceOf, byAccount, byWorth, type Held, shareOf } from '#api-server/wallet/assets.rules.ts'
import { coinByCode, fundingAccount, named, type WalletContext } from '#api-server/wallet/context.ts'
import { accountId, accountKinds } from '#contract/accounts.ts'
import type { walletCalls } from '#contract/calls/wallet.calls.ts'
import { quotient, sum } from '#contract/money.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Calls = Pick<
  typeof walletCalls,
  | 'currency.userCurrencyList'
  | 'wallet.getWalletInfo'
  | 'wallet.getAsset'
  | 'wallet.getCurrencyAsset'
  | 'wallet.getBalance'
  | 'wallet.getSymbolList'
  | 'wallet.getTransferList'
>
const btcDecimals = 8
const zero = '0'

/** Handlers of balances and their worth at the last prices. A currency without a price counts as worth nothing. */
export function assetsHandlers(context: WalletContext): Handlers<Calls> {
  const { coins, balances, proofs, parameters } = context

  async function mine(uid: number, only?: number) {
    const [list, held] = [await coins.list(), (await balances.balances(uid)) as Held[]]
    return list
      .filter(({ id }) => only === undefined || id === only)
      .map((coin) => ({ coin, price: coins.usd(coin)?.price, rows: held.filter((row) => row.currency === coin.id) }))
  }

  return {
    'currency.userCurrencyList': async (_input, { user }) => ({
      list: (await mine(user.uid)).map(({ coin, price, rows }) => ({
        ...named(coin),
        name: coin.name,
        ...balanceOf(rows, price),
        accounts: byAccount(rows, price),
      })),
    }),
    'wallet.getWalletInfo': async (_input, { user }) => {
      const rows = await mine(user.uid)
      const { demo } = await proofs.standing(user.uid)
      const worth = rows.map(({ coin, price, rows: own }) => ({ ...named(coin), usd: balanceOf(own, price).usd }))
      const total = sum(...worth.map(({ usd }) => usd))
      const btc = await coinByCode(context, 'BTC')
      const btcUsd = btc && coins.usd(btc)?.price
      return {
        total_usd: total,
        total_btc: btcUsd === undefined ? zero : quotient(total, btcUsd, btcDecimals),
        demo,
        accounts: accountKinds.map((kind) => {
          const usd = sum(
            ...rows.map(
              ({ rows: own, price }) =>
                balanceOf(
                  own.filter((row) => row.kind === kind),
                  price,
                ).usd,
            ),
          )
          return { id: accountId(kind), kind, usd, share: shareOf(usd, total) }
        }),
        coins: worth
          .filter(({ usd }) => usd !== zero)
          .map((one) => ({ ...one, share: shareOf(one.usd, total) }))
          .sort(byWorth),
      }
    },
    'wallet.getAsset': async ({ account }, { user }) => {
      const list = (await mine(user.uid))
        .map(({ coin, price, rows }) => ({
          ...named(coin),
          name: coin.name,
          ...balanceOf(
            rows.filter((row) => row.kind === account),
            price,
          ),
        }))
        .sort(byWorth)
      return { account, usd: sum(...list.map(({ usd }) => usd)), list }
    },
    'wallet.getCurrencyAsset': async ({ currency_id }, { user }) => {
      const coin = await coins.one(currency_id)
      const { price, rows } = (await mine(user.uid, coin.id))[0]!
      return {
        ...named(coin),
        name: coin.name,
        rate: price ?? zero,
        price_symbol: coin.priceSymbol ?? '',
        ...balanceOf(rows, price),
        accounts: byAccount(rows, price),
      }
    },
    'wallet.getBalance': async ({ currency_id, account }, { user }) => {
      const coin = await coins.one(currency_id)
      const held = await balances.balance(user.uid, account, coin.id)
      return { ...named(coin), account, ...balanceOf([held], coins.usd(coin)?.price) }
    },
    'wallet.getSymbolList': async (_input, { user }) => {
      const [rows, rules, routes] = [await mine(user.uid), await parameters.coins(), await parameters.routes()]
      return {
        list: rows.map(({ coin, price, rows: held }) => {
          const isOpen = coin.status === 1
          const own = routes.filter(({ currency }) => currency === coin.code)
          const change = held.filter((row) => row.kind === fundingAccount)
          return {
            ...named(coin),
            name: coin.name,
            recharge: isOpen && own.some((route) => route.recharge),
            withdraw: isOpen && own.some((route) => route.withdraw),
            exchange: isOpen && rules.some((rule) => rule.currency === coin.code && rule.exchange),
            available: balanceOf(change, price).available,
          }
        }),
      }
    },
    'wallet.getTransferList': async ({ currency_id }, { user }) => ({
      accounts: accountKinds.map((kind) => ({ id: accountId(kind), kind })),
      list: (await mine(user.uid, currency_id)).map(({ coin, rows }) => {
        const of = (kind: string) =>
          balanceOf(
            rows.filter((row) => row.kind === kind),
            undefined,
          ).available
        return { ...named(coin), legal: of('legal'), change: of('change'), lever: of('lever'), micro: of('micro') }
      }),
    }),
  }
}
