import { below } from '#language/text/position.ts'

/**
 * A value that was typed and cannot be read yet, kept in a draft as it was typed: `{"$unfinished": "form.amount <="}`. It may stand anywhere in
 * a document. A document that has one is never published.
 */
const member = '$unfinished'

export const asUnfinished = (text: string): Record<string, string> => ({ [member]: text })

/** What was typed; undefined for every other value. */
export function unfinishedText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
  const text = (value as Record<string, unknown>)[member]
  return typeof text === 'string' ? text : undefined
}

/** Every unfinished value of a document, with its JSON pointer. */
export function* unfinishedIn(value: unknown, pointer = ''): Generator<{ pointer: string; text: string }> {
  if (typeof value !== 'object' || value === null) return
  const text = unfinishedText(value)
  if (text !== undefined) yield { pointer, text }
  else for (const [name, part] of Object.entries(value)) yield* unfinishedIn(part, below(pointer, name))
}
