import { isObject } from '#language/documents/json.ts'

/** Random changes as operators make them, for tests of diff and merge: one number decides one change. */

type Members = Record<string, unknown>

/** Lists of things with ids, and the things. */
function listsIn(value: unknown): Members[][] {
  if (Array.isArray(value)) {
    const own = value.length > 0 && value.every((part) => isObject(part) && (typeof part.id === 'string' || typeof part.name === 'string'))
    return [...(own ? [value as Members[]] : []), ...value.flatMap(listsIn)]
  }
  return isObject(value) ? Object.entries(value).flatMap(([name, part]) => (name === 'props' ? [] : listsIn(part))) : []
}

export function idOf({ id, name }: Members): string {
  return String(id ?? name)
}

/** All ids of things in a document. */
export function idsIn(document: unknown): string[] {
  return listsIn(document).flatMap((list) => list.map(idOf))
}

/** A copy with one change for each seed; new things are named with `mark`. */
export function changed(document: unknown, numbers: readonly number[], mark: string): unknown {
  const root = structuredClone(document)
  for (const [n, seed] of numbers.entries()) {
    const lists = listsIn(root)
    const list = lists[seed % lists.length]
    if (!list) continue
    const at = (seed >> 3) % list.length
    const thing = list[at] as Members
    const kind = seed % 7
    if (kind === 0 && list.length > 1) list.splice(at, 1)
    else if (kind === 1) list.splice(at, 0, { ...structuredClone(leafOf(thing)), ...renamed(thing, `${mark}${n}`) })
    else if (kind === 2) list.push(...list.splice(at, 1))
    else if (kind === 3) list.splice((at + 1) % list.length, 0, ...list.splice(at, 1))
    else if (kind === 4) moveOut(lists, list, at, seed)
    else if (kind === 5) thing.show = `session.kyc = ${seed % 3}`
    else thing.props = { ...(isObject(thing.props) ? thing.props : {}), [`p${seed % 3}`]: `${mark}${seed % 2}` }
  }
  return root
}

function leafOf({ slots: _, states: __, fallback: ___, ...rest }: Members): Members {
  return rest
}

function renamed(thing: Members, name: string): Members {
  return 'id' in thing ? { id: name } : { name }
}

function moveOut(lists: Members[][], list: Members[], at: number, seed: number): void {
  const thing = list[at] as Members
  const others = lists.filter(
    (other) => other !== list && !listsIn(thing).includes(other) && 'widget' in (other[0] ?? {}) && 'id' in (other[0] ?? {}),
  )
  const target = others[seed % Math.max(1, others.length)]
  if (target && list.length > 1 && 'widget' in thing && 'id' in thing) target.splice(seed % (target.length + 1), 0, ...list.splice(at, 1))
}
