import type { ProblemCode } from '#contract/problem.ts'

/** Kinds of cards, by the names that withdrawals use. */
export type CardKind = 'bank' | 'bank_international'
export const cardFieldNames = [
  'real_name',
  'bank_account',
  'bank_name',
  'bank_network',
  'bank_dizhi',
  'phone',
  'alipay_account',
  'wechat_account',
  'wechat_nickname',
  'swift_code',
] as const
export type CardField = (typeof cardFieldNames)[number]
/** Fields as typed; an absent field is empty. */
export type Card = Record<CardField, string>

/** Withdrawals to a new card wait this long, as they do for a new address. */
export const cardHoldMs = 24 * 3_600_000

const required: readonly CardField[] = ['real_name', 'bank_account']
const numbers: readonly CardField[] = ['bank_account', 'phone', 'alipay_account']
const upper = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')
const swift = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** Whether a text is an IBAN whose check digits (ISO 7064, MOD 97-10) fit. */
function isIban(text: string): boolean {
  const moved = text.slice(4) + text.slice(0, 4)
  let rest = 0
  for (const sign of moved) for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Normalizes a card number, an account number or an IBAN. */
function accountOf(text: string): string | undefined {
  const number = upper(text)
  if (!/^[A-Z0-9]{6,34}$/.test(number) || !/\d{4}/.test(number)) return undefined
  return /^[A-Z]{2}\d{2}/.test(number) && number.length >= 15 && !isIban(number) ? undefined : number
}

const readers: Partial<Record<CardField, (text: string) => string | undefined>> = {
  real_name: (text) => (/^[\p{L}\p{M}][\p{L}\p{M}\p{N} .,'’·&/()-]{1,79}$/u.test(text) ? text : undefined),
  bank_account: accountOf,
  phone: (text) => (/^\+?[\d ()-]{4,30}$/.test(text) ? text : undefined),
  alipay_account: (text) => (/^\d{9}$/.test(upper(text)) ? upper(text) : undefined),
  wechat_nickname: (text) => (swift.test(upper(text)) ? upper(text) : undefined),
  swift_code: (text) => (swift.test(upper(text)) ? upper(text) : undefined),
}
/** A printable text on a single line. */
const line = (text: string) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text)

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
    const text = (typed[field] ?? '').normalize('NFC').trim().replace(/ +/g, ' ')
    const kept = before && numbers.includes(field) && text !== '' && text === maskNumber(before[field]) ? before[field] : undefined
    if (text === '' && required.includes(field)) return { outcome: 'parameter_missing', field }
    const read = kept ?? (text === '' ? '' : (readers[field] ?? line)(text))
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
