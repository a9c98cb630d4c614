import { lengthOf } from '#contract/characters.ts'
import { typedName } from '#contract/rules/typed.rules.ts'

const limits = { min: 2, max: 80 } as const

const letter = '[\\p{L}\\p{M}\\u200c\\u200d]'
/**
 * Names as documents print them: O'Brien, J.-P., Raj a/l Kumar, Devi s/o Rao, Lee @ Li, Tan (Chen), 't Hooft. Letters of any script with
 * their marks, and few signs between two parts.
 */
const between = "(?: @ |[ .,'·・/()-]{1,2}|[.)], ['(]?)"
const person = new RegExp(`^'?\\p{L}${letter}*(?:${between}${letter}+)*[.)']?$`, 'u')
/** Cards are in the name of a person or of a company: 3M & Co. (Asia) Ltd. */
const holder = /^(?=.*\p{L})[\p{L}\p{N}'](?:[\p{L}\p{M}\p{N} .,'·・&/@()-]|[\u200c\u200d])*$/u

function nameOf(text: string, pattern: RegExp): string | undefined {
  const name = typedName(text)
  return [...name].length >= limits.min && lengthOf(name) <= limits.max && pattern.test(name) ? name : undefined
}

/** The name of a person as it is stored; undefined for an invalid one. At most 80 characters as people count them. */
export const personName = (text: string): string | undefined => nameOf(text, person)
/** The name on a bank card as it is stored: every name of a person, and those of companies. Undefined for an invalid one. */
export const holderName = (text: string): string | undefined => nameOf(text, holder)
