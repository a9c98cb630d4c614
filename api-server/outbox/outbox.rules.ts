export const outboxLimits = {
  /** A message that nobody could send in so many tries is given up. */
  triesMax: 6,
  firstRetryMs: 60_000,
  retryMsMax: 3_600_000,
  /** A node that stops while sending holds a message back so long. */
  takenMs: 120_000,
  atOnce: 10,
  keptMs: 7 * 24 * 3_600_000,
} as const

/** When to try again after the given number of failed tries; undefined: never. */
export function retryAt(tries: number, now: number): number | undefined {
  if (tries >= outboxLimits.triesMax) return undefined
  return now + Math.min(outboxLimits.retryMsMax, outboxLimits.firstRetryMs * 4 ** (tries - 1))
}

/** Puts values into `{{name}}`. Values are text, never templates; a name without a value stays visible. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (all, name: string) => (Object.hasOwn(values, name) ? values[name]! : all))
}

/** One line of at most 120 characters: a device name that a stranger chose must not write its own message. */
export const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 120)
