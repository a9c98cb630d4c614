import { canonicalPhone } from '#contract/rules/mobile.rules.ts'
import { holderName } from '#contract/rules/name.rules.ts'
import { typedLine } from '#contract/rules/typed.rules.ts'

/** Names of the fields of a bank card; the specification names them. */
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

/** Letters and digits without what people write between them. */
const signs = (text: string) => typedLine(text).toUpperCase().replace(/[ -]/g, '')

/** Whether a text is an IBAN whose check digits (ISO 7064, MOD 97-10) fit. */
function isIban(text: string): boolean {
  const moved = text.slice(4) + text.slice(0, 4)
  let rest = 0
  for (const sign of moved) for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Whether the last digit of a card number fits (ISO/IEC 7812, mod 10). */
function isCard(digits: string): boolean {
  let sum = 0
  for (const [i, digit] of [...digits].reverse().entries()) {
    const counted = Number(digit) * (1 + (i % 2))
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** Numbers that only cards have: UnionPay, Visa, Mastercard, American Express, Discover, JCB. Accounts have no common check digit. */
const cardNumbers =
  /^(?:62\d{14,17}|4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12})$/

/** A card number, an account number or an IBAN. */
function account(text: string): string | undefined {
  const number = signs(text)
  if (!/^[A-Z0-9]{6,34}$/.test(number) || !/\d{4}/.test(number)) return undefined
  if (/^[A-Z]{2}\d{2}/.test(number) && number.length >= 15 && !isIban(number)) return undefined
  return cardNumbers.test(number) && !isCard(number) ? undefined : number
}

/** An ABA routing number: nine digits of a district that there is, with weights 3, 7, 1 (ANSI X9.100). */
function routing(text: string): string | undefined {
  const number = signs(text)
  if (!/^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(number) || /^0+$/.test(number)) return undefined
  const sum = [...number].reduce((total, digit, i) => total + Number(digit) * [3, 7, 1][i % 3]!, 0)
  return sum % 10 === 0 ? number : undefined
}

/** ISO 9362: bank, country, place, and perhaps a branch. */
function swift(text: string): string | undefined {
  const code = signs(text)
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(code) ? code : undefined
}

/** A printable text on a single line. */
function line(text: string): string | undefined {
  const plain = text.normalize('NFC').trim().replace(/ +/g, ' ')
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(plain) ? undefined : plain
}

const readers: Partial<Record<CardField, (text: string) => string | undefined>> = {
  real_name: holderName,
  bank_account: account,
  phone: canonicalPhone,
  alipay_account: routing,
  wechat_nickname: swift,
  swift_code: swift,
}

/** A typed field of a bank card as it is stored, '' for an empty one; undefined for one that is wrong. */
export const cardField = (field: CardField, text: string): string | undefined => (text.trim() === '' ? '' : (readers[field] ?? line)(text))
