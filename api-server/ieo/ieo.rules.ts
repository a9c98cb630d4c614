import { createHash } from 'node:crypto'
import Big from 'big.js'
import type { IeoOrderState, IeoSale, IeoStage, IeoState } from '#contract/calls/ieo.calls.ts'
import { ieoCharge } from '#contract/functions/ieo.charge.function.ts'
import { ieoCost } from '#contract/functions/ieo.cost.function.ts'
import { ieoRelease } from '#contract/functions/ieo.release.function.ts'
import { isLess, less, parseAmount, plain, product, quotient, sum } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { machine } from '#contract/rules/machine.rules.ts'

export const ieoOrderMachine = machine<IeoOrderState, 'change' | 'cancel' | 'pass' | 'refund' | 'release' | 'finish'>({
  applied: { change: 'applied', cancel: 'cancelled', pass: 'locked', refund: 'refunded' },
  locked: { release: 'locked', finish: 'unlocked' },
  cancelled: {},
  unlocked: {},
  refunded: {},
})
/** The decision of two operators, and the end of the lock. Sums of applications and terms change while the sale lasts. */
export const stageMachine = machine<IeoStage, 'keep' | 'allocate' | 'unlock'>({
  sale: { keep: 'sale', allocate: 'allocated' },
  allocated: { unlock: 'unlocked' },
  unlocked: {},
})
/** The sale, as operators decide. A paused one takes no more, and gives back what customers lower or cancel. */
export const ieoSaleMachine = machine<IeoSale, 'pause' | 'resume' | 'end'>({
  open: { pause: 'paused', end: 'ended' },
  paused: { resume: 'open', end: 'ended' },
  ended: {},
})

export const dayMs = 86_400_000
/** Rates of other coins lie so far under their market prices, so that the shown rate can be kept while the market moves. */
export const rateMargin = '0.005'
/** A shown rate that lies further under the market than this is refused: it would cost the customer more than the screen of now says. */
const rateBelowMost = '0.02'
/** Decimals of the amounts that are shown as part of a lock. */
const shareDecimals = 6

/** Terms of a project. Amounts are exact text, times ms UTC. */
export interface ProjectTerms {
  /** Code of the token. */
  token: string
  token_name: string
  issue_price: string
  issue_total: number
  issue_step: number
  issue_least: number
  issue_limit: number
  /** Codes with commas between them: USDT,BTC. */
  pay_coins: string
  starts_at: number
  ends_at: number
  lists_at: number
  /** Symbol of the market that opens at the listing time. */
  market: string
  lock_days: number
  releases: number
  risk: number
}
export const payCodes = (text: string): string[] => text.split(',').map((code) => code.trim())

/**
 * Compares the members of terms with each other.
 * @param before terms that count; they change only before the sale begins
 * @param at ms UTC
 * @returns the first member that is wrong
 */
export function wrongTerm(terms: ProjectTerms, before: ProjectTerms | undefined, at: number): keyof ProjectTerms | undefined {
  const { issue_total: total, issue_step: step, issue_least: least, issue_limit: limit } = terms
  if (!/^[A-Z][A-Z0-9]{1,9}$/.test(terms.token)) return 'token'
  if (total % step !== 0) return 'issue_total'
  if (least % step !== 0 || least > limit) return 'issue_least'
  if (limit % step !== 0 || limit > total) return 'issue_limit'
  if (before && at >= before.starts_at) return 'starts_at'
  if (terms.ends_at <= terms.starts_at || terms.ends_at <= at) return 'ends_at'
  if (terms.lists_at < terms.ends_at) return 'lists_at'
  const codes = payCodes(terms.pay_coins)
  if (new Set(codes).size !== codes.length || codes.includes(terms.token)) return 'pay_coins'
  return terms.releases > Math.max(1, terms.lock_days) ? 'releases' : undefined
}

interface Timed {
  sale: IeoSale
  stage: IeoStage
  starts_at: number
  ends_at: number
}
/** State of a project at a time: the sale lasts from its start on, and until before its end. */
export function projectState({ sale, stage, starts_at, ends_at }: Timed, now: number): IeoState {
  if (stage !== 'sale') return stage
  if (sale === 'ended' || now >= ends_at) return 'ended'
  if (now < starts_at) return 'warm_up'
  return sale === 'paused' ? 'paused' : 'in_progress'
}

/** Part of the total that is applied for, 1 at most. */
export const fillOf = (applied: string, total: string): string => (isLess(applied, total) ? quotient(applied, total, shareDecimals) : '1')

/** When the releases of a lock are due, in their order: at equal distances, the last one after all days. */
export const releaseTimes = ({ lists_at, lock_days, releases }: { lists_at: number; lock_days: number; releases: number }): number[] =>
  Array.from({ length: releases }, (_, at) => lists_at + Math.floor((lock_days * dayMs * (at + 1)) / releases))
export const releaseShare = (number: number, releases: number): string =>
  ieoRelease.run({ passed: '1', number, releases, scale: shareDecimals })

/**
 * Rate of a coin that is not the quote coin, from its market price, cut at the step of the price.
 * @param decimals of the price
 */
export const rateOf = (market: string, decimals: number): string =>
  plain(new Big(market).times(new Big(1).minus(rateMargin)).round(decimals, Big.roundDown))
/** @throws ApiProblem('price_changed') for a shown rate that is better than the market, or much worse */
export function mustBeRate(shown: string, market: string): void {
  if (isLess(market, shown) || isLess(shown, product(market, less('1', rateBelowMost)))) throw new ApiProblem('price_changed')
}

interface Offer {
  issue_price: string
  issue_total: string
  issue_step: string
  issue_least: string
}
/**
 * The amount of a position.
 * @throws ApiProblem amount_wrong, amount_too_small, amount_too_large
 */
export function mustFit(typed: string, { issue_total, issue_step, issue_least }: Offer): string {
  const amount = parseAmount(typed)
  if (!amount || amount.lte(0) || !amount.mod(issue_step).eq(0)) throw new ApiProblem('amount_wrong', { field: 'amount' })
  if (amount.lt(issue_least)) throw new ApiProblem('amount_too_small', { field: 'amount' })
  if (amount.gt(issue_total)) throw new ApiProblem('amount_too_large', { field: 'amount' })
  return plain(amount)
}

/**
 * The frozen amount of a position after a change: a raised part at its own rate, a lowered one by its share of what was frozen.
 * @param before undefined for a new position
 */
export function frozenAfter(
  before: { amount: string; frozen: string } | undefined,
  amount: string,
  { price, rate, scale }: { price: string; rate: string; scale: number },
): string {
  const was = before?.amount ?? '0'
  if (before && isLess(amount, was)) return ieoCharge.run({ frozen: before.frozen, tokens: amount, applied: was, scale })
  const more = less(amount, was)
  return isLess('0', more) ? sum(before?.frozen ?? '0', ieoCost.run({ tokens: more, price, rate, scale })) : before!.frozen
}

/** A position that takes part in an allocation. */
export interface Applied {
  id: number
  uid: number
  pay_id: number
  amount: string
  frozen: string
  /** Decimals of the paying coin. */
  scale: number
}
export type Allocated = Applied & { passed: string; charged: string; refunded: string }

const steps = (amount: string, step: string) => BigInt(quotient(amount, step, 0))

/**
 * The tokens of each position: all that was applied for where it fits; otherwise pro rata, where nobody gets more than the limit of a customer, and what
 * that leaves is shared by the others in the same way, until nobody is over. Cut at the step; what is left stays with the issuer. The order of the
 * positions changes nothing.
 * @returns tokens by number of the position
 */
export function allocate(
  rows: readonly Pick<Applied, 'id' | 'amount'>[],
  { issue_total, issue_step, issue_limit }: { issue_total: string; issue_step: string; issue_limit: string },
): Map<number, string> {
  const limit = steps(issue_limit, issue_step)
  let open = rows.map(({ id, amount }) => {
    const wants = steps(amount, issue_step)
    return { id, wants, most: wants < limit ? wants : limit }
  })
  const gets = new Map<number, bigint>()
  let left = steps(issue_total, issue_step)
  for (;;) {
    const all = open.reduce((total, { wants }) => total + wants, 0n)
    const over = open.filter(({ wants, most }) => wants * left > most * all)
    if (!over.length) {
      for (const { id, wants } of open) gets.set(id, all === 0n ? 0n : (wants * left) / all)
      break
    }
    for (const { id, most } of over) {
      gets.set(id, most)
      left -= most
    }
    const done = new Set(over)
    open = open.filter((one) => !done.has(one))
  }
  return new Map([...gets].map(([id, number]) => [id, product(String(number), issue_step)]))
}

/** The same with what each pays and gets back, in the order of the numbers. */
export function allocationOf(rows: readonly Applied[], terms: Parameters<typeof allocate>[1]): Allocated[] {
  const gets = allocate(rows, terms)
  return [...rows]
    .sort((a, b) => a.id - b.id)
    .map((row) => {
      const { amount: applied, frozen, scale } = row
      const passed = gets.get(row.id)!
      const charged = ieoCharge.run({ frozen, tokens: passed, applied, scale })
      return { ...row, passed, charged, refunded: less(frozen, charged) }
    })
}
/** The text that an approval is bound to: another application, another amount or other terms give another hash. */
export function hashOf(project: { id: number; terms_version: number }, rows: readonly Allocated[]): string {
  const hash = createHash('sha256').update(`ieo ${project.id} terms ${project.terms_version}\n`)
  for (const { id, uid, pay_id, amount, frozen, passed, charged } of rows)
    hash.update(`${id} ${uid} ${amount} ${pay_id} ${frozen} ${passed} ${charged}\n`)
  return hash.digest('hex')
}
