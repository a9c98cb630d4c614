import { folded, lengthOf } from '#contract/text.ts'

/** Withdrawals wait for so long after a change of password, pay password, second factor, or of a bound address. */
export const withdrawHoldMs = 24 * 3_600_000

const profileLimits = { nicknameMin: 2, nicknameMax: 10, signatureMin: 2, signatureMax: 30 } as const

/** Letters of any script with their marks, decimal digits, and single blanks between. */
const plainText = /^[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*(?: [\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*)*$/u

/** Alphabets whose letters look like those of another one: a word of one of them has letters of no other script. */
const confusable = [
  /[\p{Script=Cyrillic}]/u,
  /[\p{Script=Greek}]/u,
  /[\p{Script=Armenian}]/u,
  /[\p{Script=Cherokee}]/u,
  /[\p{Script=Coptic}]/u,
  /[\p{Script=Lisu}]/u,
]
/** Scripts that stand in one word with Latin letters only. What Chinese, Japanese and Korean write with is one script here. */
const separate = [
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]/u,
  ...[/[\p{scx=Thai}]/u, /[\p{scx=Lao}]/u, /[\p{scx=Khmer}]/u, /[\p{scx=Arabic}]/u, /[\p{scx=Hebrew}]/u, /[\p{scx=Devanagari}]/u],
  ...[/[\p{scx=Bengali}]/u, /[\p{scx=Tamil}]/u, /[\p{scx=Telugu}]/u, /[\p{scx=Georgian}]/u, /[\p{scx=Ethiopic}]/u, /[\p{scx=Myanmar}]/u],
]

/** Whether a word mixes scripts so that it can be taken for another word; as level 4 of Unicode TR 39, word by word. */
function isMixed(word: string): boolean {
  const letters = [...word].filter((one) => /\p{L}/u.test(one))
  const alike = confusable.find((script) => letters.some((one) => script.test(one)))
  if (alike) return !letters.every((one) => alike.test(one))
  const rest = letters.filter((one) => !/\p{Script=Latin}/u.test(one))
  const script = separate.find((one) => rest.some((letter) => one.test(letter)))
  return script !== undefined && !rest.every((one) => script.test(one))
}

/** Digits of one system: ASCII digits, or no ASCII digit. */
const isOneSystem = (text: string): boolean => !(/[0-9]/.test(text) && /(?![0-9])\p{Nd}/u.test(text))

/** NFKC, but for a vowel of Thai and of Lao that it would take apart. */
const composed = (text: string): string => text.replace(/[^\u0e33\u0eb3]+/g, (part) => part.normalize('NFKC'))

/** As it is stored: full-width letters and digits become ordinary ones, blanks at the ends go, several become one. Undefined for other signs. */
function plainOf(text: string, min: number, max: number): string | undefined {
  const plain = composed(text).trim().replace(/ +/g, ' ')
  const length = lengthOf(plain, max + 1)
  const fits = length >= min && length <= max && plainText.test(plain) && isOneSystem(plain)
  return fits && !plain.split(' ').some(isMixed) ? plain : undefined
}

/** The name as it is stored, or undefined. Characters are those that a person sees. */
export const nicknameOf = (text: string): string | undefined => plainOf(text, profileLimits.nicknameMin, profileLimits.nicknameMax)

/** As nicknameOf; an empty signature is none. */
export function signatureOf(text: string): string | undefined {
  return text.trim() === '' ? '' : plainOf(text, profileLimits.signatureMin, profileLimits.signatureMax)
}

/** Invite codes are written without letters that are taken for each other. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const inviteCodeLength = 8

/** @param bytes random, one for each character */
export const inviteCodeFrom = (bytes: Uint8Array): string => [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('')

/** The invite code in its stored form: case, width, blanks and hyphens do not count. */
export const canonicalInviteCode = (text: string): string => folded(text).toUpperCase().replace(/[\s-]/g, '')

/** The end of the hold, or null when it is over. */
export const holdUntil = (until: number | null, now: number): number | null => (until !== null && until > now ? until : null)
