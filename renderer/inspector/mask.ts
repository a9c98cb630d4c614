/** Names of values that stay secret wherever they stand. */
const secretName =
  /pass(?:word|wd|phrase)|secret|token|authori[sz]ation|mnemonic|private_?key|captcha|otp|^pin$|_pin$|cvv|cookie|^session_id$/i
/** `code` of a letter or an app is secret; that of a problem, a currency or a country is not. */
const secretCode = /^(?:code|(?:sms|mail|email|phone|google|auth|verify|verification|totp|recovery|backup)_?codes?)$/i
const jwt = /^[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/
const opaque = /^(?=.*\d)[A-Za-z0-9+/_-]{32,}={0,2}$/

export const dots = '••••'

/**
 * Returns the part of a text that may be shown below a name: all of it, dots, or its first four characters and dots where it looks like a
 * key.
 * @param name of the member that holds it; empty for none
 */
export function maskText(text: string, name: string): string {
  if (text === '') return text
  if (secretName.test(name) || secretCode.test(name)) return dots
  return jwt.test(text) || opaque.test(text) ? `${text.slice(0, 4)}${dots}` : text
}

const depthMax = 8
const itemsMax = 200

/** The same value with its secrets masked. A secret that is not text (a list of codes, a number) is masked as a whole. */
export function mask(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') return maskText(value, name)
  if (typeof value === 'function') return '(function)'
  if (value === undefined || value === null || typeof value === 'boolean') return value
  if (secretName.test(name)) return dots
  if (typeof value !== 'object') return value
  if (depth >= depthMax) return '…'
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((one) => mask(one, name, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mask(one, key, depth + 1)]))
}

/** One line for a value, cut after `most` characters. */
export function oneLine(value: unknown, most = 80): string {
  const text = value === undefined ? '–' : typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
