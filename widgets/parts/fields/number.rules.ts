import Big from 'big.js'
import { lengthOf } from '#contract/characters.ts'
import { parseAmount, plain } from '#contract/money.ts'
import { folded } from '#contract/text.ts'

/** Digits with at most one dot, possibly incomplete during input: "", ".", "5.", "007". */
const unfinished = (text: string, decimals: number) =>
  (decimals > 0 ? /^\d{0,20}(\.\d{0,20})?$/ : /^\d{0,20}$/).test(text) && (text.split('.')[1]?.length ?? 0) <= decimals

/**
 * Content of the control after a key changed it from `before` to `after`: digits and one dot, with at most `decimals` after it. A comma counts
 * as a dot, and a digit of full width or of another script as the usual one. Any other change is rejected.
 */
export function admit(before: string, after: string, decimals: number): string {
  const text = folded(after)
    .trim()
    .replace(/[,\u066b]/g, '.')
  if (unfinished(text, decimals)) return text
  return unfinished(before, decimals) ? before : ''
}

/** Signs that a language writes into numbers. Blanks of every kind are one blank. */
export interface NumberSigns {
  group: string
  point: string
}

/** @param tag BCP 47 */
export function numberSigns(tag: string): NumberSigns {
  const parts = new Intl.NumberFormat(tag).formatToParts(1_234_567.8)
  const signOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  return { group: (signOf('group') ?? ',').replace(/\s/, ' '), point: signOf('decimal') ?? '.' }
}

/** A control before something came into it, and the part of it that was selected. */
export interface Selected {
  text: string
  from: number
  to: number
}

/**
 * The text that came in, and where: between the parts of the control that stayed. Where nothing reports the selection, a change of one
 * character is that character, and any other one is the whole content, as a password manager fills it in.
 */
export function insertion(before: string, after: string, selected?: Selected): Selected & { piece: string } {
  if (selected?.text === before) {
    const { from, to } = selected
    const tail = before.slice(to)
    if (after.length >= from + tail.length && after.startsWith(before.slice(0, from)) && after.endsWith(tail))
      return { text: before, from, to, piece: after.slice(from, after.length - tail.length) }
  }
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  let to = before.length
  let end = after.length
  while (to > from && end > from && before[to - 1] === after[end - 1]) {
    to--
    end--
  }
  const isKey = lengthOf(after.slice(from, end)) <= 1
  return isKey ? { text: before, from, to, piece: after.slice(from, end) } : { text: before, from: 0, to: before.length, piece: after }
}

const escaped = (sign: string) => sign.replace('.', '\\.')

/**
 * The number that a piece of text is in a language, as digits and a dot; undefined for anything else, and where it can be two numbers: 1,234 is
 * a thousand and more in one country, and little more than one in another. A sign counts as a point where the language has it as its point,
 * or where it can group nothing: 0,125 and 1234,5 and 12,50. A dot is the point of these boxes, so it groups only where the language says so.
 */
export function numberIn(piece: string, { group, point }: NumberSigns): string | undefined {
  const text = folded(piece.replace(/[\u200e\u200f\u061c]/g, ''))
    .trim()
    .replaceAll('\u066b', point)
    .replaceAll('\u066c', group)
    .replace(/\s/g, ' ')
  if (/^\d+$/.test(text)) return text
  const lone = /^(\d*)([.,])(\d*)$/.exec(text)
  const [, whole = '', sign, part = ''] = lone ?? []
  if (lone) {
    const isPoint = sign === point || (sign === '.' && group !== '.')
    const isClear = isPoint || (whole !== '' && part !== '' && (part.length !== 3 || whole.length > 3 || /^0+$/.test(whole)))
    // One sign that groups three digits, and nothing behind them, can be the point of another country.
    return isClear && (whole || part) ? `${whole}.${part}` : undefined
  }
  const [g, p] = [escaped(group), escaped(point)]
  const grouped = new RegExp(`^[1-9]\\d{0,2}(?:${g}\\d{3})+(?:${p}\\d+)?$`)
  return grouped.test(text) ? text.replaceAll(group, '').replace(point, '.') : undefined
}

/**
 * Content of the control after more than one character came in at once: by a paste, a keyboard's chip, dictation, an input method or a password
 * manager. The piece alone is judged, as one number; undefined where it is none, or where the content would be none.
 */
export function inserted(
  { text, from, to, piece }: ReturnType<typeof insertion>,
  decimals: number,
  signs: NumberSigns,
): string | undefined {
  const number = numberIn(piece, signs)
  if (number === undefined) return undefined
  const next = text.slice(0, from) + number + text.slice(to)
  // Zeros behind the last decimal are no other number.
  const rounded =
    to === text.length && /\.\d*0+$/.test(next) ? next.replace(new RegExp(`(\\.\\d{${decimals}})0+$`), '$1').replace(/\.$/, '') : next
  return unfinished(next, decimals) ? next : unfinished(rounded, decimals) ? rounded : undefined
}

/** Normalizes an entry for the money parser: ".5" → "0.5", "5." → "5", "007" → "7", "." → "". Trailing zeros stay. */
export function finished(text: string): string {
  const [whole = '', part] = text.split('.')
  if (whole === '' && !part) return ''
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return part ? `${digits}.${part}` : digits
}

const fraction = (text = '') => text.split('.')[1]?.length ?? 0
/** Decimals of the steps from `min`: "0.01" → 2, "5" → 0, "1" from "0.5" → 1; 20 without a step. */
export const decimalsOf = (step: string | undefined, min?: string): number =>
  step === undefined ? 20 : Math.max(fraction(step), fraction(min))

export interface Grid {
  step: string
  min?: string
  max?: string
}

/** The greatest value up to this one that is a whole number of steps from `base`. Exact. */
export function onStep(value: Big, step: Big, base: Big): Big {
  const rest = value.minus(base).mod(step)
  return value.minus(rest.lt(0) ? rest.plus(step) : rest)
}

/**
 * The next step above (1) or below (-1), within the bounds; steps count from `min`, as in HTML. Exact; undefined when nothing changes or the
 * text is not an amount.
 */
export function stepped(text: string, direction: 1 | -1, { step, min, max }: Grid): string | undefined {
  const size = parseAmount(step)
  if (!size || size.eq(0)) return undefined
  const low = parseAmount(min ?? '0')
  const high = max === undefined ? undefined : parseAmount(max)
  const from = parseAmount(finished(text) || '0')
  if (!from || !low) return undefined
  const below = onStep(from, size, low)
  let next = direction === 1 ? below.plus(size) : below.eq(from) ? from.minus(size) : below
  if (high && next.gt(high)) next = onStep(high, size, low)
  if (next.lt(low)) next = low
  if (direction === 1 ? next.lte(from) && !from.lt(low) : next.gte(from)) return undefined
  return plain(next)
}

/** The greatest value up to `max` that is a whole number of steps from `min`; undefined without one. */
export function most(max: string, step: string | undefined, min = '0'): string | undefined {
  const high = parseAmount(max)
  const size = step === undefined ? undefined : parseAmount(step)
  if (!high) return undefined
  const low = parseAmount(min) ?? new Big(0)
  return plain(size && !size.eq(0) ? onStep(high, size, low.gt(high) ? new Big(0) : low) : high)
}
