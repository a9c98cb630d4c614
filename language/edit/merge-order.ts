/**
 * Merges three orders into one. Common items follow the side that reordered them; if both sides did, pair by pair the side that swapped the
 * pair. Added items follow the item after which they were added, `mine` first. `ask` is called when the orders contradict each other.
 * @param present items of the merged list; each appears exactly once in the result
 */
export function mergeOrder(
  present: ReadonlySet<string>,
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  ask: () => 'mine' | 'theirs',
): string[] {
  const [inBase, inMine, inTheirs] = [new Set(base), new Set(mine), new Set(theirs)]
  const all = (key: string) => present.has(key) && inMine.has(key) && inTheirs.has(key) && inBase.has(key)
  const order = ordered(base.filter(all), mine.filter(all), theirs.filter(all), ask)
  insert(order, present, mine, () => false)
  insert(order, present, theirs, (key) => inMine.has(key) && !inTheirs.has(key))
  const known = new Set(order)
  return [...order, ...[...present].filter((key) => !known.has(key))]
}

const equal = (a: readonly string[], b: readonly string[]) => a.every((key, i) => key === b[i])

function ordered(base: string[], mine: string[], theirs: string[], ask: () => 'mine' | 'theirs'): string[] {
  if (equal(base, mine)) return theirs
  if (equal(base, theirs) || equal(mine, theirs)) return mine
  const [b, m, t] = [base, mine, theirs].map((list) => new Map(list.map((key, i) => [key, i])))
  const isBefore = (list: Map<string, number> | undefined, x: string, y: string) => (list?.get(x) ?? 0) < (list?.get(y) ?? 0)
  const goesFirst = (x: string, y: string) => (isBefore(m, x, y) === isBefore(b, x, y) ? isBefore(t, x, y) : isBefore(m, x, y))
  const wins = new Map(base.map((x) => [x, base.filter((y) => x !== y && goesFirst(x, y)).length]))
  // Every pair has a winner, so a total order exists exactly when no two items have won equally often.
  if (new Set(wins.values()).size < base.length) return ask() === 'mine' ? mine : theirs
  return base.toSorted((x, y) => (wins.get(y) ?? 0) - (wins.get(x) ?? 0))
}

function insert(order: string[], present: ReadonlySet<string>, side: readonly string[], isBefore: (key: string) => boolean): void {
  const known = new Set(order)
  let previous: string | undefined
  for (const key of side) {
    if (!present.has(key)) continue
    if (!known.has(key)) {
      let at = previous === undefined ? 0 : order.indexOf(previous) + 1
      while (at < order.length && isBefore(order[at] as string)) at += 1
      order.splice(at, 0, key)
      known.add(key)
    }
    previous = key
  }
}
