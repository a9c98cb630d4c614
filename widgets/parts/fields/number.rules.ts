import { parseAmount, plain } from '#contract/money.ts'

/** Digits with at most one dot, unfinished as it may be while typing: "", ".", "5.", "007". */
const unfinished = (text: string, decimals: number) =>
  (decimals > 0 ? /^\d{0,20}(\.\d{0,20})?$/ : /^\d{0,20}$/).test(text) && (text.split('.')[1]?.length ?? 0) <= decimals

/**
 * What stands in the control after a change from `before` to `after`: digits and one dot, no more than `decimals` behind it. A comma is a dot.
 * Anything else leaves what stood there: a part of a pasted amount is another amount. A pasted "1,234" is refused too, because it is
 * a thousand to some and one to others.
 */
export function admit(before: string, after: string, decimals: number, pasted = false): string {
  const trimmed = after.trim()
  if (pasted && /,\d{3}$/.test(trimmed)) return before
  const text = trimmed.replaceAll(',', '.')
  if (unfinished(text, decimals)) return text
  return unfinished(before, decimals) ? before : ''
}

/** An entry as the parser of money takes it: ".5" → "0.5", "5." → "5", "007" → "7", "." → "". Trailing zeros stay as typed. */
export function finished(text: string): string {
  const [whole = '', part] = text.split('.')
  if (whole === '' && !part) return ''
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return part ? `${digits}.${part}` : digits
}

/** Decimals that a step allows: "0.01" → 2, "5" → 0; 20 without one. */
export const decimalsOf = (step: string | undefined): number => (step === undefined ? 20 : (step.split('.')[1]?.length ?? 0))

export interface Grid {
  step: string
  min?: string
  max?: string
}

/** The next multiple of the step above (1) or below (-1), held between the bounds. Exact; undefined when nothing changes or the text is no amount. */
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

/** The greatest multiple of the step that is not above `max`; undefined when there is none. */
export function most(max: string, step: string | undefined): string | undefined {
  const high = parseAmount(max)
  const size = step === undefined ? undefined : parseAmount(step)
  if (!high) return undefined
  return plain(size && !size.eq(0) ? high.minus(high.mod(size)) : high)
}
