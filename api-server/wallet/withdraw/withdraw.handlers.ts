import type { Standing } from '#api-server/account/proof.ts'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { freeze } from '#api-server/ledger/ledger.ts'
import { readAmount } from '#api-server/wallet/amount.rules.ts'
import { balanceOf } from '#api-server/wallet/assets.rules.ts'
import {
  amountOf,
  coinByCode,
  type Detail,
  freshUsd,
  fundingAccount,
  named,
  sealDetails,
  type WalletContext,
} from '#api-server/wallet/context.ts'
import { recordOf, tellRecord } from '#api-server/wallet/deposit/funding.handlers.ts'
import type { Route } from '#api-server/wallet/parameter.store.ts'
import { maskAddress } from '#api-server/wallet/withdraw/address.rules.ts'
import { limitsOf } from '#api-server/wallet/withdraw/limits.reads.ts'
import { ceilingOf, decideWithdraw, leftOf, type WithdrawAsk, windowMs } from '#api-server/wallet/withdraw/withdraw.rules.ts'
import type { fundingCalls } from '#contract/calls/funding.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { destinationProblem } from '#contract/rules/payment.rules.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, UserCaller } from '#server-kit/http/http.ts'

type Calls = Pick<typeof fundingCalls, 'wallet.getWithdrawInfo' | 'wallet.withdraw'>
type Channel = CallInput<'wallet.withdraw'>['channel']

interface Coins {
  coin: Currency
  btc: Currency | undefined
}

/** Destination of a withdrawal, found before passwords and codes are checked. */
interface Target {
  route: Route | undefined
  chain: string
  masked: string
  /** Destination tag; '' for none. */
  tag: string
  details: Detail[]
  usableFrom: number
}

/** Handlers of withdrawals. The amount is frozen on request and leaves when an operator reports its arrival. */
export function withdrawHandlers(context: WalletContext): Handlers<Calls> {
  const {
    database,
    balances,
    funding,
    addresses,
    once,
    ledger,
    clock,
    secrets,
    parameters,
    proofs,
    notices,
    cards,
    coins,
    custody,
    changed,
    queueChanged,
  } = context

  const prices = ({ coin, btc }: Coins) => ({ coinUsd: freshUsd(context, coin), btcUsd: btc && freshUsd(context, btc) })

  /** @throws ApiProblem address_unknown, wallet_address_own, wallet_address_token, card_missing */
  async function targetOf(uid: number, coin: Currency, input: CallInput<'wallet.withdraw'>, tx?: Tx): Promise<Target> {
    const routes = (await parameters.routes(coin.code, tx)).filter((row) => row.withdraw)
    const { channel } = input
    if (channel !== 'address') {
      const saved = await cards.of(uid, channel, tx)
      if (!saved) throw new ApiProblem('card_missing')
      const details = Object.entries(saved.card).flatMap(([field, value]) => (value ? [{ field, value }] : []))
      const route = routes.find((row) => row.route === channel)
      return { route, chain: '', masked: saved.label, tag: '', details, usableFrom: saved.usableFrom }
    }
    const saved = input.address_id === undefined ? undefined : await addresses.one(uid, input.address_id, tx)
    if (saved?.currency_id !== coin.id) throw new ApiProblem('address_unknown', { field: 'address_id' })
    // Saved by an earlier release, or before the address became one of ours.
    const refused = destinationProblem(saved.address)
    if (refused) throw new ApiProblem(refused, { field: 'address_id' })
    if (await custody.isOurs(saved.address, coin.code, saved.chain)) throw new ApiProblem('wallet_address_own', { field: 'address_id' })
    const details = [
      { field: 'chain', value: saved.chain },
      { field: 'address', value: saved.address },
      ...(saved.tag ? [{ field: 'tag', value: saved.tag }] : []),
    ]
    const route = routes.find((row) => row.route === saved.chain)
    return { route, chain: saved.chain, masked: maskAddress(saved.address), tag: saved.tag, details, usableFrom: saved.usable_from }
  }

  async function decide(standing: Standing, { coin, btc }: Coins, target: Target, ask: Omit<WithdrawAsk, 'usableFrom'>, tx?: Tx) {
    const { uid, level, holdUntil } = standing
    const { route, usableFrom } = target
    const now = clock.now()
    const limits = await limitsOf(database, level, tx)
    const held = await balances.balance(uid, fundingAccount, coin.id, tx)
    const fee = route ? walletWithdrawFee.run({ amount: ask.amount, ...route, scale: coin.scale }) : '0'
    const decision = decideWithdraw(
      { ...ask, usableFrom },
      {
        now,
        level,
        holdUntil,
        isOpen: coin.status === 1 && route !== undefined,
        min: route?.withdraw_min ?? '0',
        fee,
        available: held.available,
        ...prices({ coin, btc }),
        limitBtc: limits.limit_btc,
        orderLimitUsd: limits.order_limit_usd,
        usedBtc: await funding.usedBtc(uid, now - windowMs, tx),
      },
    )
    if (decision.outcome === 'asked') return { ...decision, fee, now }
    const waitMs = decision.waitMs
    throw new ApiProblem(decision.outcome, {
      ...(decision.outcome === 'fee_changed' && { field: 'fee' }),
      ...(decision.outcome === 'order_limit' && { values: { limit: exact(limits.order_limit_usd) } }),
      ...(/^amount|^insufficient|limit$/.test(decision.outcome) && { field: 'amount' }),
      ...(waitMs !== undefined && { retryAfterSeconds: Math.ceil(waitMs / 1_000) }),
    })
  }

  async function withdraw(input: CallInput<'wallet.withdraw'>, caller: UserCaller) {
    const { uid } = caller.user
    const { channel } = input
    const coin = await coins.one(input.currency_id)
    const both = { coin, btc: await coinByCode(context, 'BTC') }
    const amount = amountOf(input.amount, coin)
    const shownFee = input.fee === undefined || /^0(\.0+)?$/.test(input.fee) ? input.fee : readAmount(input.fee, coin.scale)
    if (input.fee !== undefined && shownFee === undefined) throw new ApiProblem('fee_changed', { field: 'fee' })
    const ask = { amount, shownFee, isBank: channel !== 'address' }
    let proved: { use(tx: Tx): Promise<void> } | undefined
    // Checks that need no proof come first, so that a refusal does not use up a code.
    const prove = async () => {
      const standing = await proofs.standing(uid)
      if (standing.status === 'frozen') throw new ApiProblem('account_frozen')
      if (standing.level < 1) throw new ApiProblem('verification_required')
      await decide(standing, both, await targetOf(uid, coin, input), ask)
      await proofs.payPassword(caller, input.pay_password)
      proved = await proofs.code(caller, 'withdraw', input.code)
      await proofs.secondFactor(caller, input.totp)
    }
    const done = await once.run(caller, { call: 'wallet.withdraw', input, prove }, async (tx) => {
      const standing = await proofs.lock(tx, uid)
      const target = await targetOf(uid, coin, input, tx)
      const { fee, received, btc, usd, now } = await decide(standing, both, target, ask, tx)
      await proved?.use(tx)
      const about = { uid, currency_id: coin.id, created_at: now }
      const row = await funding.create(
        tx,
        {
          ...about,
          type: 'withdraw',
          channel,
          chain: target.chain,
          target: target.masked,
          tag: target.tag,
          images: '[]',
          amount,
          fee,
          received,
          usd,
          btc,
          status: 'reviewing',
          details: sealDetails(secrets, about, target.details),
        },
        'customer',
      )
      await ledger.post(tx, {
        kind: 'withdraw_request',
        source: `withdraw:${row.id}`,
        uid,
        at: now,
        postings: freeze(uid, fundingAccount, coin.id, amount),
      })
      await notices.notify(tx, uid, { kind: 'withdraw_requested', subject: row.id, figures: { amount, coin: coin.code } })
      return recordOf(row, coin.code)
    })
    changed(uid)
    tellRecord(context, done.id, uid, 'insert')
    queueChanged()
    return done
  }

  /** The requested route. @throws ApiProblem currency_closed, chain_unknown */
  function routeFor(coin: Currency, routes: readonly Route[], channel: Channel, chain: string | undefined) {
    const open = routes.filter((row) => row.withdraw && (channel === 'address' ? row.address_kind !== null : row.route === channel))
    if (coin.status !== 1 || !open[0]) throw new ApiProblem('currency_closed', { field: 'currency_id' })
    const route = channel === 'address' && chain !== undefined ? open.find((row) => row.route === chain) : open[0]
    if (!route) throw new ApiProblem('chain_unknown', { field: 'chain' })
    return { route, chains: channel === 'address' ? open.map((row) => row.route) : [] }
  }

  return {
    'wallet.withdraw': withdraw,
    'wallet.getWithdrawInfo': async ({ currency_id, channel, chain }, { user }) => {
      const coin = await coins.one(currency_id)
      const { route, chains } = routeFor(coin, await parameters.routes(coin.code), channel, chain)
      const standing = await proofs.standing(user.uid)
      const limits = await limitsOf(database, standing.level)
      const held = await balances.balance(user.uid, fundingAccount, coin.id)
      const { available } = balanceOf([held], undefined)
      const now = clock.now()
      const used = await funding.usedBtc(user.uid, now - windowMs)
      const leftBtc = leftOf(limits.limit_btc, used)
      const orderLimitUsd = channel === 'address' ? null : exact(limits.order_limit_usd)
      const { coinUsd, btcUsd } = prices({ coin, btc: await coinByCode(context, 'BTC') })
      const ceiling = ceilingOf({ available, leftBtc, coinUsd, btcUsd, orderLimitUsd, scale: coin.scale })
      return {
        ...named(coin),
        channel,
        chains,
        available,
        fee: exact(route.fee),
        fee_rate: exact(route.fee_rate),
        min: exact(route.withdraw_min),
        max: ceiling.max,
        level: standing.level,
        limit_btc: exact(limits.limit_btc),
        used_btc: used,
        left_btc: leftBtc,
        left: ceiling.left,
        order_limit_usd: orderLimitUsd,
        usd_rate: coinUsd ?? '0',
        verified: standing.level > 0,
        hold_until: standing.holdUntil !== null && standing.holdUntil > now ? standing.holdUntil : null,
        needs_pay_password: standing.hasPayPassword,
        needs_totp: standing.totp,
        code_to: standing.codeTo,
        code_by: standing.codeBy,
        card: channel === 'address' ? '' : ((await cards.of(user.uid, channel))?.label ?? ''),
      }
    },
  }
}
