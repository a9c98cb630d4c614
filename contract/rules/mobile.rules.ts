import { patterns } from '#contract/patterns.ts'
import plansByCode from '#contract/rules/mobile-plans.json' with { type: 'json' }
import { typedLine } from '#contract/rules/typed.rules.ts'

/**
 * How a country writes its mobile numbers: calling code of the plan (1 for area 1684); pattern of what is dialled before a number at home,
 * and what replaces it ('' cuts it); pattern of all its numbers; lengths of its mobile numbers. See scripts/contract/mobile-plans.ts.
 */
export type MobilePlan = readonly [calling: string, prefix: string, replacement: string, national: string, lengths: readonly number[]]
const plans = plansByCode as unknown as Record<string, MobilePlan>

const codeLengthMax = 4
const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`)

/** The number without what is dialled before it at home; unchanged where the prefix belongs to the number. */
function withoutPrefix([, prefix, replacement, national]: MobilePlan, digits: string): string {
  const dialled = prefix ? new RegExp(`^(?:${prefix})`).exec(digits) : null
  if (!dialled) return digits
  const isReplaced = replacement !== '' && dialled.at(-1) !== undefined
  const rest = isReplaced ? digits.replace(new RegExp(`^(?:${prefix})`), replacement) : digits.slice(dialled[0].length)
  const belongs = whole(national)
  return belongs.test(digits) && !belongs.test(rest) ? digits : rest
}

/** The number in the plan of an area, all digits of the country; undefined for one that no mobile phone there has. */
function nationalOf(code: string, digits: string): string | undefined {
  const plan = Object.hasOwn(plans, code) ? plans[code] : undefined
  if (!plan) return undefined
  // The specification names the pattern of mainland China.
  if (code === '86') return [digits, digits.replace(/^0/, '')].find((number) => patterns['mobile-cn'].test(number))
  const [calling, , , , lengths] = plan
  const fits = (number: string) => lengths.includes(number.length)
  return [code.slice(calling.length) + digits, withoutPrefix(plan, digits), digits].find(fits)
}

/** Where the calling code of a whole number ends: the longest that there is, for a few islands share the 1 of others. */
function split(digits: string): [code: string, number: string][] {
  const lengths = Array.from({ length: codeLengthMax }, (_, i) => codeLengthMax - i)
  return lengths.flatMap((length): [string, string][] => {
    const code = digits.slice(0, length)
    return code.length === length && Object.hasOwn(plans, code) ? [[code, digits.slice(length)]] : []
  })
}

/** As it is stored: `+86 13800138000`. */
function stored(code: string, national: string): string {
  const all = plans[code]![0] + national
  const [area, number] = split(all)[0]!
  return `+${area} ${number}`
}

/** A typed number without what people write between digits: `+8613800138000`, `13800138000`. @returns '' for anything else */
export function phoneDigits(text: string): string {
  const bare = typedLine(text).replace(/[ .()/-]/g, '')
  return /^\+?\d{4,20}$/.test(bare) ? bare.replace(/^00/, '+') : ''
}

/** Whether a text names its country itself: +86 138…, 0086 138…, in any width. */
export const isWholeNumber = (text: string): boolean => phoneDigits(text).startsWith('+')

/** Code and national number of a whole number: `+852 5123 4567`, `0044 (0)7911 123456`. @returns undefined for one that there is not */
function wholeNumber(digits: string): string | undefined {
  for (const [code, number] of split(digits)) {
    const national = nationalOf(code, number)
    if (national !== undefined) return stored(code, national)
  }
  return undefined
}

/**
 * A mobile number as it is stored and compared: `+86 13800138000`. A number that names its country counts as such, whatever the area.
 * @param code calling code of the area that is chosen beside the number, without plus
 * @returns undefined for a number that no mobile phone of the country has
 */
export function canonicalMobile(code: string, text: string): string | undefined {
  const digits = phoneDigits(text)
  if (digits.startsWith('+')) return wholeNumber(digits.slice(1))
  const national = digits && nationalOf(code, digits)
  return national ? stored(code, national) : undefined
}

/** ITU-T E.164: calling code and number together. */
const digitsMax = 15
/**
 * The telephone number on a bank card, of any kind: with its country `+852 55550143`, otherwise its digits. Undefined for anything else.
 */
export function canonicalPhone(text: string): string | undefined {
  const digits = phoneDigits(text)
  if (!digits.startsWith('+')) return digits && digits.length <= digitsMax ? digits : undefined
  const mobile = wholeNumber(digits.slice(1))
  if (mobile) return mobile
  const [found] = digits.length - 1 > digitsMax ? [] : split(digits.slice(1))
  return found && found[1].length >= 4 ? `+${found[0]} ${found[1]}` : undefined
}
