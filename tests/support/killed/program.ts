import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { migrations } from '#api-server/migrations.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { say } from '#tests/support/say.ts'

/** Parts of a program to be killed; see node.ts for the test's side. */

/** The database of the first two arguments: its folder, and its address or nothing. */
export const openArguments = (): Promise<Database> => {
  const [dataDir = '', databaseUrl = ''] = process.argv.slice(2)
  const onFatal = () => process.exit(70)
  return openDatabase({ dataDir, databaseUrl: databaseUrl || undefined, log: createLog('silent'), onFatal, migrations })
}

/** Returns the requests to send first: the lines of standard input. */
export async function askedBefore(): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface(process.stdin)) lines.push(line)
  return lines
}

/**
 * Asks until the outcome is known, and prints it.
 * @param shown the text of an answer after the key; nothing by default
 * @returns undefined for what was refused
 */
export async function ask<A>(key: string, call: () => Promise<A>, shown: (answer: A) => string = () => ''): Promise<A | undefined> {
  for (;;) {
    try {
      const answer = await call()
      say(`done ${key} ${shown(answer)}`.trimEnd())
      return answer
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined
      if (code === undefined) throw error
      if (code === 'outcome_unknown' || code === 'busy') continue
      say(`no ${key} ${code}`)
      return undefined
    }
  }
}

/** Runs a program; an error goes to standard error with its causes. */
export function program(run: () => Promise<void>): void {
  run().catch((error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`)
    process.exit(1)
  })
}
