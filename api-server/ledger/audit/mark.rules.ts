/** A check that a server has found broken. While its mark is in `ledger_broken`, calls that move money are refused. */
export interface Mark {
  /** Name and promise of the check. */
  name: string
  /** How often the check was found broken since the mark was set. */
  found: number
  /** ms since 1970 UTC; null for a mark of an earlier release. */
  at: number | null
  why: string | null
}

/** Report lines of `npm run audit` about the marks; no lines without marks. */
export function markLines(marks: readonly Mark[]): string[] {
  if (!marks.length) return []
  return [
    'MARKED BROKEN: servers on this database refuse calls that move money (ledger_inconsistent).',
    ...marks.flatMap(({ name, found, at, why }) => [
      `  ${name}`,
      `    found first ${at === null ? 'at a time that was not recorded' : new Date(at).toISOString()}, ${found} ${found === 1 ? 'time' : 'times'} in all`,
      `    why: ${why ?? 'not recorded; the log of the server has it'}`,
    ]),
    'This audit only reads and removes no mark. Put the rows back, from a copy if need be, and let a server run: it removes a mark as soon as',
    'its own audit has found all rows of that check sound. That audit goes round again and again, and starts with the server.',
  ]
}
