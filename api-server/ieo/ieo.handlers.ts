import { quoteIn } from '#api-server/currency/currency.reads.ts'
import { account, type IeoContext, orderOf, orderRow, projectRow, tell } from '#api-server/ieo/context.ts'
import {
  frozenAfter,
  mustBeRate,
  mustFit,
  payCodes,
  projectState,
  rateMargin,
  rateOf,
  releaseShare,
  releaseTimes,
} from '#api-server/ieo/ieo.rules.ts'
import type { IeoOrder, IeoOrderOf, IeoProject } from '#api-server/ieo/ieo.store.ts'
import { freeze, release } from '#api-server/ledger/ledger.ts'
import type { ieoCalls } from '#contract/calls/ieo.calls.ts'
import { ieoRelease } from '#contract/functions/ieo.release.function.ts'
import { exact, isLess, less, parseAmount, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { priceAgeMsMax } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'

/** Handlers of the calls of customers. */
export function ieoHandlers(context: IeoContext): Handlers<typeof ieoCalls> {
  const { store, ledger, once, proofs, balances, coins, clock, trading } = context

  /** @throws ApiProblem('product_unknown') */
  const known = (project: IeoProject | undefined, field: string): IeoProject => {
    if (!project) throw new ApiProblem('product_unknown', { field })
    return project
  }
  /** The market price of a coin in the quote coin; undefined while there is none that is fresh, 1 for the quote coin. */
  function marketPrice(coin: { code: string; priceSymbol: string | null }): { price: string; decimals: number } | undefined {
    if (coin.priceSymbol === null) return { price: '1', decimals: 0 }
    const found = coins.usd(coin)
    if (!found || found.ageMs > priceAgeMsMax) return undefined
    const tick = trading.instrument(coin.priceSymbol).tick
    return { price: found.price, decimals: tick.split('.')[1]?.length ?? 0 }
  }
  const rateNow = (coin: { code: string; priceSymbol: string | null }) => {
    const market = marketPrice(coin)
    return market && (coin.priceSymbol === null ? '1' : rateOf(market.price, market.decimals))
  }
  /**
   * The rate of what is added to a position.
   * @param shown by the screen; undefined: that of now
   * @throws ApiProblem price_stale, price_changed
   */
  function rateFor(coin: { code: string; priceSymbol: string | null }, shown: string | undefined): string {
    const market = marketPrice(coin)
    if (!market) throw new ApiProblem('price_stale', { field: 'pay_currency' })
    if (shown === undefined) return rateNow(coin)!
    const rate = parseAmount(shown)
    if (!rate || rate.lte(0)) throw new ApiProblem('price_changed')
    mustBeRate(plain(rate), market.price)
    return plain(rate)
  }
  /** @throws ApiProblem('sale_closed') */
  function mustTake(project: IeoProject, now: number, states: readonly string[]): void {
    if (!states.includes(projectState(project, now))) throw new ApiProblem('sale_closed', { field: 'project_id' })
  }
  async function moved(tx: Tx, order: IeoOrder, before: IeoOrder | undefined, at: number): Promise<void> {
    const frozen = order.status === 'cancelled' ? '0' : order.frozen
    const more = less(frozen, before?.frozen ?? '0')
    if (more === '0') return
    const isMore = isLess('0', more)
    const postings = isMore ? freeze(order.uid, account, order.pay_id, more) : release(order.uid, account, order.pay_id, less('0', more))
    await ledger.post(tx, {
      kind: isMore ? 'ieo_apply' : 'ieo_release',
      source: `ieo:${order.id}:${order.version}`,
      uid: order.uid,
      at,
      postings,
    })
  }

  return {
    'ieo.projects': async ({ state, page, size }) => {
      const { rows, total } = await store.projects(clock.now(), state, { page, size })
      return { list: rows.map((row) => projectRow(context, row)), total }
    },

    'ieo.detail': async ({ id }, { user: { uid } }) => {
      const project = known(await store.project(id), 'id')
      const list = await coins.list()
      const paid = payCodes(project.pay_coins).flatMap((code) => quoteIn(list, code) ?? [])
      const held = await Promise.all(paid.map((coin) => balances.balance(uid, account, coin.id)))
      const mine = await store.position(id, uid)
      const releases = releaseTimes(project)
      return {
        ...projectRow(context, project),
        margin: rateMargin,
        coins: paid.map((coin, at) => ({
          pay_currency: coin.code,
          currency_id: coin.id,
          scale: coin.scale,
          rate: rateNow(coin) ?? null,
          available: exact(held[at]!.available),
        })),
        releases: releases.map((at, index) => ({ number: index + 1, at, share: releaseShare(index + 1, releases.length) })),
        mine: mine
          ? {
              id: mine.id,
              amount: exact(mine.amount),
              pay_currency: list.find((coin) => coin.id === mine.pay_id)!.code,
              frozen: exact(mine.frozen),
            }
          : null,
      }
    },

    'ieo.order': async (input, caller) => {
      const { uid } = caller.user
      // Read before the order is made: a read that failed afterwards would hide that it was.
      const list = await coins.list()
      // A repeated call answers what the first one did, which is no news.
      let news: { order: IeoOrderOf; isNew: boolean } | undefined
      const answer = await once.run(caller, { call: 'ieo.order', input }, async (tx) => {
        await proofs.lock(tx, uid)
        const project = known(await store.lockProject(tx, input.project_id), 'project_id')
        const at = clock.now()
        const isShown = input.terms_version === undefined || input.terms_version === project.terms_version
        if (!isShown) throw new ApiProblem('terms_changed')
        const price = parseAmount(input.price)
        if (!price?.eq(project.issue_price)) throw new ApiProblem('price_changed')
        const amount = mustFit(input.amount, project)
        const before = await store.position(project.id, uid, tx)
        const isMore = !before || isLess(before.amount, amount)
        mustTake(project, at, isMore ? ['in_progress'] : ['in_progress', 'paused'])
        const isOffered = payCodes(project.pay_coins).includes(input.pay_currency)
        const coin = isOffered ? quoteIn(list, input.pay_currency) : undefined
        if (!coin || (before && before.pay_id !== coin.id)) throw new ApiProblem('currency_unknown', { field: 'pay_currency' })
        if (isMore && coin.status !== 1) throw new ApiProblem('currency_closed', { field: 'pay_currency' })
        const rate = isMore ? rateFor(coin, input.rate) : exact(before.rate)
        const frozen = frozenAfter(before, amount, { price: exact(project.issue_price), rate, scale: coin.scale })
        const order = await store.setPosition(
          tx,
          { project: project.id, uid, pay_id: coin.id, before },
          { amount, frozen, rate, terms_version: project.terms_version, status: 'applied', changed_at: at },
        )
        await moved(tx, order, before, at)
        news = { order: orderOf(project, order, coin.code), isNew: !before }
        return orderRow(news.order)
      })
      if (news) tell(context, news.order, news.isNew ? 'insert' : 'update')
      return answer
    },

    'ieo.cancel': async (input, caller) => {
      const { uid } = caller.user
      const list = await coins.list()
      let news: IeoOrderOf | undefined
      const answer = await once.run(caller, { call: 'ieo.cancel', input }, async (tx) => {
        // A frozen account may take its own money back.
        await proofs.lock(tx, uid, true)
        const project = known(await store.lockProject(tx, input.project_id), 'project_id')
        const at = clock.now()
        const before = await store.position(project.id, uid, tx)
        if (!before) throw new ApiProblem('order_unknown', { field: 'project_id' })
        mustTake(project, at, ['in_progress', 'paused'])
        const { amount, frozen, rate, terms_version } = before
        const order = await store.setPosition(
          tx,
          { project: project.id, uid, pay_id: before.pay_id, before },
          { amount, frozen, rate, terms_version, status: 'cancelled', changed_at: at },
        )
        await moved(tx, order, before, at)
        news = orderOf(project, order, list.find(({ id }) => id === before.pay_id)!.code)
        return orderRow(news)
      })
      if (news) tell(context, news, 'update')
      return answer
    },

    'ieo.orders': async ({ page, size, ...filter }, { user }) => {
      checkTimeRange(filter)
      const { rows, total } = await store.find(user.uid, filter, { page, size })
      return { list: rows.map(orderRow), total }
    },

    'ieo.orderDetail': async ({ id }, { user }) => {
      const row = await store.order(user.uid, id)
      if (!row) throw new ApiProblem('order_unknown', { field: 'id' })
      const { passed, releases, token_scale: scale, done } = row
      const hasTokens = row.status === 'locked' || row.status === 'unlocked'
      return {
        ...orderRow(row),
        applied: exact(row.all_applied),
        total: exact(row.issue_total),
        releases: (hasTokens ? releaseTimes(row) : []).map((at, index) => {
          const amount = ieoRelease.run({ passed: exact(passed!), number: index + 1, releases, scale })
          return { number: index + 1, at, amount, done: index < done }
        }),
      }
    },
  }
}
