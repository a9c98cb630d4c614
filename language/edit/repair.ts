import type { AnyDoc, Kind } from '#language/documents/documents.ts'
import { kinds } from '#language/documents/documents.ts'
import { segmentsOf } from '#language/text/position.ts'

/** Maximum number of parts to remove before giving up. */
const cutsMax = 200

/**
 * Repairs a document that does not match the shape of its kind by removing the smallest wrong parts. Checks of other documents use the
 * rest, so that one mistake is not reported again wherever the document is used.
 * @param wrong returns pointers to wrong parts of a value, as reported by `parse`
 * @returns undefined when nothing useful is left
 */
export function repaired(json: unknown, kind: Kind, wrong: (json: unknown, kind: Kind) => readonly string[]): AnyDoc | undefined {
  let rest = structuredClone(json)
  for (let cuts = 0; cuts < cutsMax; cuts++) {
    const parsed = kinds[kind].safeParse(rest)
    if (parsed.success) return parsed.data as AnyDoc
    const [pointer] = wrong(rest, kind)
    const names = pointer === undefined ? [] : segmentsOf(pointer)
    const cut = takenOut(rest, names)
    if (cut === undefined) return undefined
    rest = cut
  }
  return undefined
}

/** Removes the part at the names, or the nearest part around it that exists. Undefined for the document itself. */
function takenOut(root: unknown, names: readonly string[]): unknown {
  for (let length = names.length; length > 0; length--) {
    const holder = valueAt(root, names.slice(0, length - 1))
    const name = names[length - 1] as string
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) continue
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete (holder as Record<string, unknown>)[name]
    return root
  }
  return undefined
}

function valueAt(root: unknown, names: readonly string[]): unknown {
  let at = root
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}
