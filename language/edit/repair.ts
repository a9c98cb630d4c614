import type { AnyDoc, Kind } from '#language/documents/documents.ts'
import { kinds } from '#language/documents/documents.ts'
import { segmentsOf } from '#language/text/position.ts'

/** How many parts are taken out before a document is given up. */
const cutsMax = 200

/**
 * The rest of a document that does not have the shape of its kind: whatever is wrong is taken out, the smallest part first. Checks of other
 * documents go on with it, so that one mistake is not told again wherever the document is named.
 * @param wrong pointers of what is wrong with a value, as `parse` tells them
 * @returns undefined where nothing of use is left
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

/** Takes out what the names lead to, or the part around it where there is nothing. Undefined for the document itself. */
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
