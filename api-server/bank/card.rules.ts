import type { ProblemCode } from '#contract/problem.ts'

/** As withdrawals name them. */
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
/** What was typed; empty where there is nothing. */
export type Card = Record<CardField, string>

/** Withdrawals to a card wait for so long, as they do for a new address. */
export const cardHoldMs = 24 * 3_600_000

const required: readonly CardField[] = ['real_name', 'bank_account']
const numbers: readonly CardField[] = ['bank_account', 'phone', 'alipay_account']
const upper = (text: string) => text.toUpperCase().replace(/[\s-]/g, '')
const swift = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** ISO 7064: an IBAN whose check digits fit. */
function isIban(text: string): boolean {
  const moved = text.slice(4) + text.slice(0, 4)
  let rest = 0
  for (const sign of moved) for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** A card number, an account number, or an IBAN. */
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
/** Anything that can be read on one line. */
const line = (text: string) => (/[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text)

/** Stars in place of all but the end; the same text for every length. */
export function maskNumber(text: string): string {
  const shown = text.length > 8 ? 4 : text.length > 4 ? 2 : 0
  return text === '' ? '' : `**** ${shown ? text.slice(-shown) : '**'}`
}

/** What its owner is shown. */
export const maskCard = (card: Card): Card => {
  const shown = cardFieldNames.map((name) => [name, numbers.includes(name) ? maskNumber(card[name]) : card[name]])
  return Object.fromEntries(shown) as Card
}

/** Bank and end of the number, on one line. */
export const cardLabel = (card: Card): string => [card.bank_name, maskNumber(card.bank_account)].filter(Boolean).join(' ')

export type ReadCard =
  | { outcome: 'read'; card: Card }
  | { outcome: Extract<ProblemCode, 'card_wrong' | 'parameter_missing'>; field: CardField }

/**
 * The card as it is stored. A number that came back as it was masked stays what it was, so that a form may begin with what is there.
 * @param typed as sent; absent fields are empty
 * @param before the card until now
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

/** Fields that say where money ends up. */
const leading: readonly CardField[] = ['real_name', 'bank_account', 'bank_name', 'alipay_account', 'wechat_nickname', 'swift_code']

/** From when on withdrawals go to the card: later for the first one, and where it leads somewhere else than before. */
export function usableFrom(card: Card, before: { card: Card; usableFrom: number } | undefined, now: number): number {
  const leadsAsBefore = before !== undefined && leading.every((field) => before.card[field] === card[field])
  return leadsAsBefore ? before.usableFrom : now + cardHoldMs
}
