/**
 * Places for handles that stand on lines: each on its line, or below the handle above it where two lines are close.
 * @param lines heights of the lines in px, in any order @param gap least distance of two handles in px
 * @returns a height for each, in the given order
 */
export function placesOf(lines: readonly number[], gap: number): number[] {
  const places = [...lines]
  const downwards = lines.map((_, at) => at).sort((a, b) => lines[a]! - lines[b]! || a - b)
  let least = Number.NEGATIVE_INFINITY
  for (const at of downwards) {
    places[at] = Math.max(lines[at]!, least)
    least = places[at]! + gap
  }
  return places
}
