/** One thing leads to another. `conditional`: it stands in an `if`. */
export interface Link {
  from: string
  to: string
  conditional: boolean
}

/** The shortest way from a link back to where it starts; links without a condition go first. Undefined where there is none. */
export function circleFrom<L extends Link>(first: L, links: readonly L[]): L[] | undefined {
  for (const usable of [links.filter(({ conditional }) => !conditional), links]) {
    if (!usable.includes(first)) continue
    const queue: L[][] = [[first]]
    const reached = new Set<string>()
    for (let way = queue.shift(); way; way = queue.shift()) {
      const { to } = way.at(-1) as L
      if (to === first.from) return way
      if (reached.has(to)) continue
      reached.add(to)
      for (const next of usable) if (next.from === to) queue.push([...way, next])
    }
  }
  return undefined
}
