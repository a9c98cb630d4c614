import common from '#server-kit/security/common-passwords.json' with { type: 'json' }

/** More is refused before it is hashed. */
const passwordBytesMax = 1_024

/**
 * The form of a password that is measured and hashed: Unicode NFKC, so that the same keys on two keyboards are the same password.
 * Nothing is trimmed, cut or folded.
 */
export const passwordForm = (password: string): string => password.normalize('NFKC')

export const isTooLong = (password: string): boolean => Buffer.byteLength(passwordForm(password)) > passwordBytesMax

/** The passwords that attackers try first, most frequent first; lower case. */
export const frequentPasswords: readonly string[] = `${common.eight} ${common.six}`.split(' ')
const frequent = new Set(frequentPasswords)
const productWords = ['tessera', 'trading', 'trader', 'exchange', 'wallet', 'bitcoin', 'crypto']
const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1qaz2wsx3edc4rfv5tgb', 'qazwsxedcrfvtgb', '1q2w3e4r5t6y7u8i9o0p']
/** The number of characters around a guessable word that do not make it a secret. */
const trimmings = 4

const reversed = (text: string) => [...text].reverse().join('')
const isOneStep = (text: string, step: number) =>
  [...text].every((char, i, all) => {
    const next = all[i + 1]
    if (next === undefined) return true
    const from = char.codePointAt(0)!
    return (
      next.codePointAt(0)! - from === step || (char === '9' && next === '0' && step === 1) || (char === '0' && next === '9' && step === -1)
    )
  })
const isRepeated = (text: string) => /^(.{1,2}?)\1+.?$/su.test(text)
const isOnKeyboard = (text: string) => keyboardRows.some((row) => row.includes(text) || reversed(row).includes(text))

/** Password without the digits and signs at its end, and without those at its start. */
const bare = (text: string) => text.replace(/^[\d\W_]{1,4}/u, '').replace(/[\d\W_]{1,4}$/u, '')

/** True for what a guesser tries first: frequent, one key, a row of keys, a count, the product's or the owner's name with a year behind it. */
export function isGuessable(password: string, names: readonly string[] = []): boolean {
  const text = passwordForm(password).toLowerCase()
  if (frequent.has(text) || frequent.has(bare(text))) return true
  if (isRepeated(text) || isOneStep(text, 1) || isOneStep(text, -1) || isOnKeyboard(text)) return true
  const words = [...productWords, ...names.map((name) => name.toLowerCase()).filter((name) => name.length >= trimmings)]
  if (!words.some((word) => text.includes(word))) return false
  const rest = words.sort((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), text)
  return [...rest].length <= trimmings
}
