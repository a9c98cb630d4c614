import { parseAmount, plain } from '#contract/money.ts'

/** Digits with at most one dot, possibly incomplete during input: "", ".", "5.", "007". */
const unfinished = (text: string, decimals: number) =>
  (decimals > 0 ? /^\d{0,20}(\.\d{0,20})?$/ : /^\d{0,20}$/).test(text) && (text.split('.')[1]?.length ?? 0) <= decimals

/** Digits and signs as wide as a character of Japanese or Chinese, which their keyboards write. */
const wide = /[\uff01-\uff5e]/g

/**
 * Content of the control after a change from `before` to `after`: digits and one dot, with at most `decimals` after it. A comma counts as a
 * dot, and a wide digit as the usual one. Any other change is rejected: a part of a pasted amount would be another amount. A pasted "1,234" is rejected too, because its
 * meaning depends on the country.
 * @param dotGroups whether the language groups digits with a dot; then a pasted "1.234" is rejected as well
 */
export function admit(before: string, after: string, decimals: number, pasted = false, dotGroups = false): string {
  const trimmed = after.trim().replace(wide, (sign) => sign.normalize('NFKC'))
  if (pasted && (/,\d{3}$/.test(trimmed) || (dotGroups && /^[1-9]\d{0,2}(\.\d{3})+$/.test(trimmed)))) return before
  const text = trimmed.replaceAll(',', '.')
  if (unfinished(text, decimals)) return text
  return unfinished(before, decimals) ? before : ''
}

/** Whether a language writes 1234567 as 1.234.567. */
export const groupsByDot = (tag: string): boolean => new Intl.NumberFormat(tag).format(1_234_567).includes('.')

/** Normalizes an entry for the money parser: ".5" → "0.5", "5." → "5", "007" → "7", "." → "". Trailing zeros stay. */
export function finished(text: string): string {
  const [whole = '', part] = text.split('.')
  if (whole === '' && !part) return ''
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return part ? `${digits}.${part}` : digits
}

/** Decimals of a step: "0.01" → 2, "5" → 0; 20 without a step. */
export const decimalsOf = (step: string | undefined): number => (step === undefined ? 20 : (step.split('.')[1]?.length ?? 0))

export interface Grid {
  step: string
  min?: string
  max?: string
}

/**
 * The next multiple of the step above (1) or below (-1), within the bounds. Exact; undefined when nothing changes or the text is not an
 * amount.
 */
export function stepped(text: string, direction: 1 | -1, { step, min, max }: Grid): string | undefined {
  const size = parseAmount(step)
  if (!size || size.eq(0)) return undefined
  const low = parseAmount(min ?? '0')
  const high = max === undefined ? undefined : parseAmount(max)
  const from = parseAmount(finished(text) || '0')
  if (!from || !low) return undefined
  const over = from.mod(size)
  let next = direction === 1 ? from.minus(over).plus(size) : over.eq(0) ? from.minus(size) : from.minus(over)
  if (high && next.gt(high)) next = high.minus(high.mod(size))
  if (next.lt(low)) next = low
  if (direction === 1 ? next.lte(from) && !from.lt(low) : next.gte(from)) return undefined
  return plain(next)
}

/** The greatest multiple of the step up to `max`; undefined without one. */
export function most(max: string, step: string | undefined): string | undefined {
  const high = parseAmount(max)
  const size = step === undefined ? undefined : parseAmount(step)
  if (!high) return undefined
  return plain(size && !size.eq(0) ? high.minus(high.mod(size)) : high)
}
