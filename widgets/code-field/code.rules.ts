/** At most `digits` digits of a typed or pasted text: "Your code: 123 456" → "123456". Digits of other scripts are converted. */
export function codeIn(text: string, digits: number): string {
  return text.normalize('NFKC').replace(/\D/g, '').slice(0, digits)
}

/** Remaining whole seconds, never negative. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1_000))
}
