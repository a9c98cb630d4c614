import { areas } from '#api-server/account/address/areas.ts'

/** Whole address; the part before the @ has a limit of its own. */
const emailMax = 254
const localMax = 64
const localPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const topPattern = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * An e-mail address as it is stored: lower case, without blanks around it. `a+b@c.d` is another address than `a@c.d`. Only ASCII: two
 * addresses that look the same must not be two accounts. Undefined for anything else.
 */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  if (email.length > emailMax) return undefined
  const at = email.indexOf('@')
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split('.')
  if (at < 1 || local.length > localMax || !localPattern.test(local)) return undefined
  if (labels.length < 2 || !labels.every((label) => labelPattern.test(label)) || !topPattern.test(labels.at(-1)!)) return undefined
  return email
}

/** ITU-T E.164: calling code and number together. */
const digitsMax = 15
const digitsMin = 4
const mainland = /^1[3-9]\d{9}$/

/**
 * A mobile number as it is stored: `+86 13800138000`. Blanks and hyphens fall away, and outside of Italy one leading zero does.
 * @param code calling code of an area that there is
 */
export function canonicalMobile(code: string, text: string): string | undefined {
  const digits = text.trim().replace(/[ -]/g, '')
  if (!/^\d{4,15}$/.test(digits) || digits.startsWith('00')) return undefined
  const number = code === '39' ? digits : digits.replace(/^0/, '')
  if (code === '86' && !mainland.test(number)) return undefined
  if (number.length < digitsMin || code.length + number.length > digitsMax) return undefined
  return `+${code} ${number}`
}

export interface Login {
  kind: 'email' | 'mobile'
  /** As stored. */
  address: string
}

/** What a person types to name an account: an address, or a number in the area of `code`, or a whole number such as +86 138…. */
export function loginOf(text: string, code: string | undefined): Login | undefined {
  if (text.includes('@')) {
    const address = canonicalEmail(text)
    return address === undefined ? undefined : { kind: 'email', address }
  }
  const whole = /^\+([1-9]\d{0,3})[ -](.+)$/.exec(text.trim())
  const area = whole ? areas.find((one) => one.code === whole[1])?.code : code
  const address = area === undefined ? undefined : canonicalMobile(area, whole ? whole[2]! : text)
  return address === undefined ? undefined : { kind: 'mobile', address }
}

/** a***@b.com */
function maskEmail(email: string): string {
  const at = email.indexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}

/** +86 138****8000 */
function maskMobile(mobile: string): string {
  const [area = '', number = ''] = mobile.split(' ')
  return number.length < 9 ? `${area} ${number.slice(0, 1)}****${number.slice(-2)}` : `${area} ${number.slice(0, 3)}****${number.slice(-4)}`
}

export const mask = (address: string): string => (address.includes('@') ? maskEmail(address) : maskMobile(address))
