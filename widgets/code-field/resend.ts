/** Until when a code may not be asked for again, by form and address. In memory: it outlives the screen and not the page. */
const until = new Map<string, number>()
/** Answers that were counted already: the same one is read again each time its screen comes back. */
const counted = new WeakSet<object>()
const keptMax = 50

/** Notes an answer of the sending call once, and gives the moment (ms) from which the next code may be asked for; 0: now. */
export function waitUntil(key: string, sent: { resend_after?: number } | undefined, now: number): number {
  if (sent && !counted.has(sent)) {
    counted.add(sent)
    if (until.size >= keptMax) until.delete(until.keys().next().value!)
    until.set(key, now + (sent.resend_after ?? 0) * 1_000)
  }
  return until.get(key) ?? 0
}
