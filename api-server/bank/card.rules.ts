import type { ProblemCode } from '#contract/problem.ts'
import { type CardField, cardField, cardFieldNames } from '#contract/rules/card.rules.ts'

/** Kinds of cards, by the names that withdrawals use. */
export type CardKind = 'bank' | 'bank_international'
/** Fields as typed; an absent field is empty. */
export type Card = Record<CardField, string>

/** Withdrawals to a new card wait this long, as they do for a new address. */
export const cardHoldMs = 24 * 3_600_000

const required: readonly CardField[] = ['real_name', 'bank_account']
const numbers: readonly CardField[] = ['bank_account', 'phone', 'alipay_account']
/** Masks all but the end of a number. The mask has the same length for every number. */
export function maskNumber(text: string): string {
  const shown = text.length > 8 ? 4 : text.length > 4 ? 2 : 0
  return text === '' ? '' : `**** ${shown ? text.slice(-shown) : '**'}`
}

/** The card as its owner sees it. */
export const maskCard = (card: Card): Card => {
  const shown = cardFieldNames.map((name) => [name, numbers.includes(name) ? maskNumber(card[name]) : card[name]])
  return Object.fromEntries(shown) as Card
}

/** Bank name and the last digits of the number, on one line. */
export const cardLabel = (card: Card): string => [card.bank_name, maskNumber(card.bank_account)].filter(Boolean).join(' ')

type ReadCard = { outcome: 'read'; card: Card } | { outcome: Extract<ProblemCode, 'card_wrong' | 'parameter_missing'>; field: CardField }

/**
 * Validates a card for storage. A number that comes back masked keeps its stored value, so that a form may start with the masked card.
 * @param typed fields as sent; absent fields are empty
 * @param before the stored card, if any
 */
export function readCard(typed: Partial<Record<CardField, string | undefined>>, before: Card | undefined): ReadCard {
  const card = {} as Card
  for (const field of cardFieldNames) {
    const text = (typed[field] ?? '').trim()
    const kept = before && numbers.includes(field) && text !== '' && text === maskNumber(before[field]) ? before[field] : undefined
    if (text === '' && required.includes(field)) return { outcome: 'parameter_missing', field }
    const read = kept ?? cardField(field, text)
    if (read === undefined) return { outcome: 'card_wrong', field }
    card[field] = read
  }
  return { outcome: 'read', card }
}

/** Fields that decide where money arrives. */
const leading: readonly CardField[] = ['real_name', 'bank_account', 'bank_name', 'alipay_account', 'wechat_nickname', 'swift_code']

/** Time (ms UTC) from which withdrawals to the card are allowed. The first card and a card with another destination have to wait. */
export function usableFrom(card: Card, before: { card: Card; usableFrom: number } | undefined, now: number): number {
  const leadsAsBefore = before !== undefined && leading.every((field) => before.card[field] === card[field])
  return leadsAsBefore ? before.usableFrom : now + cardHoldMs
}
