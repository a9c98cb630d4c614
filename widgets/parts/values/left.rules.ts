const secondMs = 1_000
const dayS = 86_400

const two = (n: number) => String(n).padStart(2, '0')

/**
 * Remaining time as text: `mm:ss` below an hour, `hh:mm:ss` below a day; longer times have separate days. Seconds are rounded up, so that
 * 00:00 means the end.
 */
export function timeLeft(toMs: number, nowMs: number): { days: number; clock: string; over: boolean } {
  const seconds = Math.max(0, Math.ceil((toMs - nowMs) / secondMs))
  const days = Math.floor(seconds / dayS)
  const hours = Math.floor((seconds % dayS) / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  const tail = `${two(minutes)}:${two(seconds % 60)}`
  return { days, clock: days > 0 || hours > 0 ? `${two(hours)}:${tail}` : tail, over: seconds === 0 }
}
