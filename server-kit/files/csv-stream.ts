import { once } from 'node:events'
import type { Response } from 'express'
import { lineOf } from '#server-kit/ops/csv.rules.ts'

const rowsAtOnce = 1_000
/** Of one file. */
export const streamedRowsMax = 200_000

interface CsvStream<Row> {
  /** Of the file: `audit.csv`. */
  name: string
  titles: readonly string[]
  /** The cells of a row, one for each title. */
  line: (row: Row) => readonly (string | number | null)[]
  /** The next rows, newest first. @param before id of the last row that was written */
  rows: (before: number | undefined, limit: number) => Promise<readonly Row[]>
}

/** Answers with a list as a file, written as it is read: at most `streamedRowsMax` rows, and none is read before the caller took those before. */
export async function streamCsv<Row extends { id: number }>(res: Response, { name, titles, line, rows }: CsvStream<Row>): Promise<void> {
  let part = await rows(undefined, rowsAtOnce)
  res.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present')
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  res.write(lineOf(titles))
  for (let written = 0; part.length > 0 && written < streamedRowsMax && !res.destroyed; written += part.length) {
    if (!res.write(part.map((row) => lineOf(line(row))).join(''))) await Promise.race([once(res, 'drain'), once(res, 'close')])
    part = await rows(part.at(-1)!.id, rowsAtOnce)
  }
  res.end()
}
