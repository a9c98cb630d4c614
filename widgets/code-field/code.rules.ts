/** Digits of what was typed or pasted, at most `digits`: "Your code: 123 456" → "123456". Digits of other scripts become ours. */
export function codeIn(text: string, digits: number): string {
  return text.normalize('NFKC').replace(/\D/g, '').slice(0, digits)
}

/** Whole seconds left, never negative. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1_000))
}
