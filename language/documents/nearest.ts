/** Damerau-Levenshtein distance of two words: letters inserted, deleted, replaced or swapped with a neighbour. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((row[j - 1] as number) + 1, (last[j] as number) + 1, (last[j - 1] as number) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (beforeLast[j - 2] as number) + 1)
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] as number
}

/** The most similar name; undefined when none is similar. A difference in case counts half. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestSteps = Number.POSITIVE_INFINITY
  for (const name of names) {
    if (name === word || Math.abs(name.length - word.length) > 8) continue
    const folded = name.toLowerCase()
    let steps = distance(lower, folded) + (folded === lower ? 0.5 : 0)
    if (steps > 1 && lower.length > 2 && (folded.endsWith(`.${lower}`) || folded.startsWith(`${lower}.`))) steps = 1
    if (steps < bestSteps) {
      best = name
      bestSteps = steps
    }
  }
  return bestSteps <= Math.max(1, Math.min(4, Math.ceil(word.length * 0.4))) ? best : undefined
}

/** The same for a message that lists the known words: `"match" knows digits, email, not "digit"`. */
export function nearestKnown(message: string): string | undefined {
  const [, words = '', word = ''] = /knows (.+), not "([^"]*)"$/.exec(message) ?? []
  return nearest(word, words.split(', '))
}
