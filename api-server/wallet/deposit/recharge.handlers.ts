import { amountOf, mustBeOpen, named, sealDetails, type WalletContext } from '#api-server/wallet/context.ts'
import { tellRecord } from '#api-server/wallet/deposit/funding.handlers.ts'
import { openRechargesMax, vouchersIn } from '#api-server/wallet/deposit/funding.rules.ts'
import type { Route } from '#api-server/wallet/parameter.store.ts'
import { maskAddress } from '#api-server/wallet/withdraw/address.rules.ts'
import type { fundingCalls } from '#contract/calls/funding.calls.ts'
import { exact, isLess, product } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { takesTag } from '#contract/rules/payment.rules.ts'
import type { Handlers } from '#server-kit/http/http.ts'

type Calls = Pick<typeof fundingCalls, 'wallet.getPayable' | 'wallet.getInAddress' | 'wallet.recharge'>

/** Handlers of deposits. A deposit is credited only after its review. */
export function rechargeHandlers(context: WalletContext): Handlers<Calls> {
  const { coins, custody, funding, once, clock, secrets, parameters, proofs, claim, marksOf, changed, queueChanged } = context

  /**
   * Finds an open chain of an open currency; without a name the first. @throws ApiProblem currency_unknown, currency_closed, chain_unknown
   */
  async function way(currencyId: number, chain: string | undefined) {
    const coin = await coins.one(currencyId)
    mustBeOpen(coin)
    const routes = (await parameters.routes(coin.code)).filter((row) => row.recharge)
    if (!routes.length) throw new ApiProblem('currency_closed', { field: 'currency_id' })
    const route: Route | undefined = chain === undefined ? routes[0] : routes.find((row) => row.route === chain)
    if (!route) throw new ApiProblem('chain_unknown', { field: 'chain' })
    return { coin, route }
  }

  return {
    'wallet.getPayable': async () => {
      const routes = (await parameters.routes()).filter((row) => row.recharge)
      const list = (await coins.list()).map((coin) => ({
        ...named(coin),
        name: coin.name,
        status: coin.status,
        chains: routes
          .filter((row) => row.currency === coin.code)
          .map(({ route, recharge_min, address_kind: kind }) => ({
            chain: route,
            min: exact(recharge_min),
            tag: kind !== null && takesTag(kind),
          })),
      }))
      return { list: list.filter(({ status, chains }) => status === 1 && chains.length > 0) }
    },
    'wallet.getInAddress': async ({ currency_id, chain }, { user }) => {
      const { coin, route } = await way(currency_id, chain)
      const address = await custody.addressFor(user.uid, coin.code, route.route)
      return { ...named(coin), chain: route.route, address, min: exact(route.recharge_min), source: custody.source }
    },
    'wallet.recharge': async (input, caller) => {
      const { uid } = caller.user
      const vouchers = vouchersIn(input.imgs)
      if (!vouchers) throw new ApiProblem('voucher_missing', { field: 'imgs' })
      const coin = await coins.one(input.currency_id)
      const amount = amountOf(input.amount, coin)
      let images: string[] = []
      let marks: string[] = []
      let chain = ''
      let address = ''
      const prove = async () => {
        const { route } = await way(coin.id, input.chain)
        if (isLess(amount, route.recharge_min)) throw new ApiProblem('amount_too_small', { field: 'amount' })
        chain = route.route
        address = await custody.addressFor(uid, coin.code, chain)
        images = await Promise.all(vouchers.map((voucher) => claim(uid, voucher)))
        marks = await marksOf(images)
      }
      const done = await once.run(caller, { call: 'wallet.recharge', input, prove }, async (tx) => {
        await proofs.lock(tx, uid)
        if ((await funding.openRecharges(tx, uid)) >= openRechargesMax) throw new ApiProblem('too_many_open')
        const price = coins.usd(coin)?.price
        const about = { uid, currency_id: coin.id, created_at: clock.now() }
        const row = await funding.create(
          tx,
          {
            ...about,
            type: 'recharge',
            channel: input.type,
            chain,
            target: maskAddress(address),
            images: JSON.stringify(images),
            amount,
            fee: '0',
            received: amount,
            usd: price === undefined ? null : product(amount, price),
            btc: null,
            status: 'reviewing',
            details: sealDetails(secrets, about, [{ field: 'address', value: address }]),
          },
          'customer',
          marks,
        )
        return { id: row.id, status: 'reviewing' as const, amount, created: row.created_at }
      })
      changed(uid)
      tellRecord(context, done.id, uid, 'insert')
      queueChanged()
      return done
    },
  }
}
