/** Time until which no new code may be requested, by form and address. In memory: kept across screens, not across reloads. */
const until = new Map<string, number>()
/** Answers already counted. The same answer is read again whenever its screen is shown again. */
const counted = new WeakSet<object>()
const keptMax = 50

/** Counts an answer of the sending call once and returns the time (ms) from which the next code may be requested; 0 for now. */
export function waitUntil(key: string, sent: { resend_after?: number } | undefined, now: number): number {
  if (sent && !counted.has(sent)) {
    counted.add(sent)
    if (until.size >= keptMax) until.delete(until.keys().next().value!)
    until.set(key, now + (sent.resend_after ?? 0) * 1_000)
  }
  return until.get(key) ?? 0
}
