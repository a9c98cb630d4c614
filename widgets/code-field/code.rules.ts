import { folded } from '#contract/text.ts'
import { insertion, type Selected } from '#widgets/parts/fields/number.rules.ts'

/** The digits of a text that stand together as a code does: in one run, or in groups with a blank or a hyphen between. */
function wholeCode(text: string, digits: number): string | undefined {
  const runs = text.match(/\d+/g) ?? []
  const groups = (text.match(/\d+(?:[ \u00a0\u202f-]\d+)+/g) ?? []).map((group) => group.replace(/\D/g, ''))
  return [...runs, ...groups].find((run) => run.length === digits)
}

/**
 * The code in a control after a change from `before` to `after`. A text that came in at once and has a whole code in it becomes that code:
 * "2026: your code is 123 456" → "123456". Otherwise all digits count, up to `digits`; a longer number that came in at once is no code, and
 * nothing changes. Digits of other scripts are converted.
 */
export function codeIn(before: string, after: string, digits: number, selected?: Selected): string {
  const piece = folded(insertion(before, after, selected).piece)
  const code = wholeCode(piece, digits)
  if (code !== undefined) return code
  if (piece.replace(/\D/g, '').length > digits) return before
  return folded(after).replace(/\D/g, '').slice(0, digits)
}

/** Remaining whole seconds, never negative. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1_000))
}
