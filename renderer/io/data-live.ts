import type { LiveEvent } from '#renderer/io/data.ts'

type Row = Record<string, unknown>
interface Places {
  member: string
  byValue: Map<unknown, number>
}
/** Where the rows of a source were last. */
const known = new WeakMap<object, Places>()

/**
 * A loaded list with one row changed; the other rows keep their identity.
 * @param owner whose list it is
 * @returns undefined for a row that is not here, or an event without one
 */
export function patched(owner: object, list: readonly Row[] | undefined, { where, change }: LiveEvent): readonly Row[] | undefined {
  const index = where && change && list ? placeOf(owner, list, where) : -1
  if (!list || index < 0) return undefined
  const next = list.slice()
  next[index] = { ...list[index], ...change }
  return next
}

/** Rows seldom move while changes pour in, so the place where a row was last is looked at first. */
function placeOf(owner: object, list: readonly Row[], [member, value]: readonly [member: string, value: unknown]): number {
  const places = known.get(owner)
  const last = places?.member === member ? places.byValue.get(value) : undefined
  if (last !== undefined && list[last]?.[member] === value) return last
  const byValue = new Map<unknown, number>()
  for (let i = list.length - 1; i >= 0; i--) byValue.set(list[i]?.[member], i)
  known.set(owner, { member, byValue })
  return byValue.get(value) ?? -1
}
