/** Two texts compared by lines, with long stretches of equal lines folded. */

export type LineKind = 'same' | 'removed' | 'added'
export interface Line {
  kind: LineKind
  text: string
}
/** Lines to show, or a number of equal lines to fold. */
export type Block = { kind: 'lines'; lines: Line[] } | { kind: 'folded'; lines: Line[] }

/** Equal lines that stay visible around a change. */
const contextLines = 3
/** Beyond so many pairs of lines the middle is shown as removed and added as a whole. */
const pairsMax = 4_000_000

const linesOf = (text: string | null | undefined): string[] => (text ? text.replace(/\n$/, '').split('\n') : [])
const as =
  (kind: LineKind) =>
  (text: string): Line => ({ kind, text })

/** The lines of both texts, in order: a longest common part, and around it what was removed and added. */
export function compareLines(before: string | null | undefined, after: string | null | undefined): Line[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [
    ...a.slice(0, start).map(as('same')),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(as('same')),
  ]
}

function middle(a: readonly string[], b: readonly string[]): Line[] {
  const width = b.length + 1
  if (a.length * b.length > pairsMax) return [...a.map(as('removed')), ...b.map(as('added'))]
  // Length of the longest common part of a from i on and b from j on.
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! })
      i++
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push({ kind: 'removed', text: a[i++]! })
    else lines.push({ kind: 'added', text: b[j++]! })
  }
  return lines
}

/** Blocks to show: a change with the lines around it, and between changes what can be folded. */
export function blocksOf(lines: readonly Line[]): Block[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({ kind }) => kind !== 'same'))
  const blocks: Block[] = []
  for (const [at, line] of lines.entries()) {
    const kind = near[at] ? 'lines' : 'folded'
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
}
