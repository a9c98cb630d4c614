export const dueLimits = {
  /** After this many failures a row is given up until an operator has it tried again. */
  triesMax: 6,
  /** Wait after the first failure; each further one waits four times as long, up to an hour. */
  firstRetryMs: 5_000,
  retryMsMax: 3_600_000,
  /** After a failure of the database nothing is tried for so long. */
  pauseMs: 5_000,
  /** Rows that are read at once. */
  pageMost: 500,
  /** A row that is due for longer than this and is not done raises an alert. */
  lateMs: 120_000,
  /** An alert is repeated after so long. */
  alertEveryMs: 600_000,
  /** Faults of rows that were done by another way are looked for this often. */
  cleanEveryMs: 60_000,
  faultsEveryMs: 1_000,
  faultLengthMax: 500,
} as const

/**
 * Wait before the next try, in ms; undefined when there is none.
 * @param tries failures so far, at least 1
 * @param jitter from 0 to 1: rows that failed together come back apart
 */
export function retryAfterMs(tries: number, jitter: number, firstMs: number = dueLimits.firstRetryMs): number | undefined {
  if (tries >= dueLimits.triesMax) return undefined
  const wait = Math.min(dueLimits.retryMsMax, firstMs * 4 ** (tries - 1))
  return Math.round(wait * (1 + jitter / 5))
}
