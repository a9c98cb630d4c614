const hourMs = 3_600_000
const tenYearsMs = 3_652 * 24 * hourMs

interface ClockMove {
  /** The time of the clock, counted from the moment at which something is due. */
  readonly fromDueMs: number
  /** It has shown a later moment, so that what is due is done: once, whatever it shows afterwards. */
  readonly isPast: boolean
}
const moves = (...shown: number[]): ClockMove[] =>
  shown.map((fromDueMs, at) => ({ fromDueMs, isPast: shown.slice(0, at + 1).some((ms) => ms > 0) }))

/**
 * Clocks around a moment at which something is due. Kernels report a leap second, 23:59:60, as a second that is there twice, or as a clock
 * that stands still.
 */
export const clockMoves: [how: string, moves: ClockMove[]][] = [
  ['stands still for a second before', moves(-1, -1, -1, 1)],
  ['stands still for a second', moves(-1_000, 1, 1, 1, 1_000)],
  ['has the second before twice', moves(-1_000, -1, -1_000, -1, 1)],
  ['has the second after twice', moves(-1, 1, 999, 1, 999, 1_000)],
  ['goes back over it by a second', moves(-1, 1, -999, -1, 1)],
  ['goes back by an hour before', moves(-1, -hourMs, -1, 1)],
  ['goes back by an hour after', moves(1, 1 - hourMs, -1, 1)],
  ['is an hour ahead and is set right', moves(-2 * hourMs, hourMs, -hourMs, -1, 1)],
  ['goes forward by ten years', moves(-1, tenYearsMs, tenYearsMs + 1)],
]
