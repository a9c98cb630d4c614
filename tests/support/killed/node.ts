import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { migrations } from '#api-server/migrations.ts'
import type { Database } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import type { Engine } from '#tests/support/databases/engines.ts'

export type Place = Awaited<ReturnType<Engine['place']>>

/** The database of a node, for the test that has killed it. */
export const openPlace = (place: Place): Promise<Database> =>
  openDatabase({ ...place, log: createLog('silent'), onFatal: () => {}, migrations })

const keyOf = (text: string) => text.split(' ')[0]!

/**
 * Starts a bundled program of this folder (see program.ts) on a database. It prints one event a line: `try <asked>` before it sends a
 * request with a new key, `done <key> …` or `no <key> …` when it knows the outcome, and other events of its own. The text of a request
 * begins with its key.
 * @param again what it asks first: what another node has asked, of which nobody knows what became
 */
export function startNode(file: string, { dataDir, databaseUrl }: Place, args: readonly string[], again: readonly string[] = []) {
  const process_ = spawn(process.execPath, [file, dataDir, databaseUrl ?? '', ...args], { stdio: 'pipe' })
  const lines: { text: string; at: number }[] = []
  let errors = ''
  createInterface(process_.stdout).on('line', (text) => lines.push({ text, at: performance.now() }))
  process_.stderr.on('data', (part) => {
    errors += part
  })
  const ended = new Promise<NodeJS.Signals | null>((done) => process_.once('close', (_code, signal) => done(signal)))
  process_.stdin.end(again.map((asked) => `${asked}\n`).join(''))
  /** Returns the rest of its lines that begin with this word. */
  const of = (word: string) => lines.filter(({ text }) => text.startsWith(`${word} `)).map(({ text }) => text.slice(word.length + 1))

  return {
    of,
    says: (line: string) => lines.some(({ text }) => text === line),
    /** When it said so first, by performance.now(). */
    saidAt: (line: string) => lines.find(({ text }) => text === line)?.at,
    /** Waits until it holds, or the node reports an error. */
    async until(holds: () => boolean): Promise<void> {
      await expect.poll(() => errors !== '' || holds(), { interval: 5 }).toBe(true)
      expect(errors).toBe('')
    },
    /** Kills it, if it still runs. */
    async stop(): Promise<void> {
      process_.kill('SIGKILL')
      await ended
    },
    async kill(): Promise<void> {
      process_.kill('SIGKILL')
      expect([errors, await ended]).toEqual(['', 'SIGKILL'])
    },
    /** Waits until it kills itself or ends by itself. @returns whether it killed itself */
    async isKilled(): Promise<boolean> {
      const signal = await ended
      expect(errors).toBe('')
      return signal === 'SIGKILL'
    },
    /** Waits until it ends by itself. */
    async end(): Promise<void> {
      expect([await ended, errors]).toEqual([null, ''])
    },
    /** Returns the requests that it has sent, or was to send again, whose outcome nobody knows. */
    unknown(): string[] {
      const known = new Set([...of('done'), ...of('no')].map(keyOf))
      return [...again, ...of('try')].filter((asked) => !known.has(keyOf(asked)))
    },
  }
}
export type KilledNode = ReturnType<typeof startNode>
