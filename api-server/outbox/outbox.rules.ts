import { clip } from '#contract/characters.ts'

export const outboxLimits = {
  firstRetryMs: 60_000,
  /** Time after which another node takes over from a node that stopped while sending. */
  takenMs: 120_000,
  keptMs: 7 * 24 * 3_600_000,
} as const

/** Replaces `{{name}}` by values. Values are inserted as text and not expanded again; a name without a value stays visible. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (all, name: string) => (Object.hasOwn(values, name) ? values[name]! : all))
}

/** Reduces a text to one line of at most 120 characters, so that a device name chosen by a stranger cannot add content to a message. */
export const oneLine = (text: string): string => clip(text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '), 120)
