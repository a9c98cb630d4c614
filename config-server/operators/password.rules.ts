import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { operatorPasswordMin } from '#contract/console/console.rows.ts'
import { frequentPasswords, isGuessable, isTooLong, passwordForm } from '#server-kit/security/password.rules.ts'

const passwordLimits = {
  charactersMin: operatorPasswordMin,
  /** Without the operator's name and the product's. */
  restCharactersMin: 8,
  /** 0 is guessed at once, 4 is out of reach. */
  scoreMin: 3,
  /** Longer ones are measured by their beginning: the time grows with the square of the length. */
  measuredMax: 64,
} as const

let meter: ZxcvbnFactory | undefined

/** Returns the words that everybody can know of an operator. Longest first, so that the whole name goes before its parts. */
const ownWords = (name: string) =>
  [name, ...name.split(/[ ._@-]+/), 'tessera', 'console', 'operator'].filter(Boolean).sort((a, b) => b.length - a.length)

/** True for a password that an operator may have: long enough, not what a guesser tries first, and far enough from it. @param name the operator's */
export function isStrong(password: string, name: string): boolean {
  if (isTooLong(password)) return false
  const text = passwordForm(password)
  if ([...text].length < passwordLimits.charactersMin || isGuessable(text, [name])) return false
  const own = ownWords(name.toLowerCase())
  const rest = own.reduce((left, word) => left.replaceAll(word, ''), text.toLowerCase())
  if ([...rest].length < passwordLimits.restCharactersMin) return false
  meter ??= new ZxcvbnFactory({ dictionary: { passwords: [...frequentPasswords] } })
  return meter.check(text.slice(0, passwordLimits.measuredMax), own).score >= passwordLimits.scoreMin
}
