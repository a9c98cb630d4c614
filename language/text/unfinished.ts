import { below } from '#language/text/position.ts'

/**
 * An incomplete value, stored in a draft as typed: `{"$unfinished": "form.amount <="}`. It may occur anywhere in a document. A document
 * with one is never published.
 */
const member = '$unfinished'

export const asUnfinished = (text: string): Record<string, string> => ({ [member]: text })

/** The typed text; undefined for every other value. */
export function unfinishedText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
  const text = (value as Record<string, unknown>)[member]
  return typeof text === 'string' ? text : undefined
}

/** All unfinished values of a document, with their JSON pointers. */
export function* unfinishedIn(value: unknown, pointer = ''): Generator<{ pointer: string; text: string }> {
  if (typeof value !== 'object' || value === null) return
  const text = unfinishedText(value)
  if (text !== undefined) yield { pointer, text }
  else for (const [name, part] of Object.entries(value)) yield* unfinishedIn(part, below(pointer, name))
}
