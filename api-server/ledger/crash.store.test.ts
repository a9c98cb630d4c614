import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { auditLedger } from '#api-server/ledger/audit/audit.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { auditedMigrations, coins, customersOf, stageLedger } from '#tests/support/databases/ledger-stage.ts'
import { bundled } from '#tests/support/house/bundle.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'

const rounds = sized(3, 40)
/** The longest time that a process moves money before it is killed. Most are killed early, when more unanswered calls are running. */
const killedAfterMs = 2_000

interface Round {
  /** Undefined when the process was killed before the database was open. */
  openMs: number | undefined
  signal: NodeJS.Signals | null
  done: string[]
  refused: string[]
  unknown: string[]
}
interface Begin {
  /** How far its clock is ahead. Between nodes, only time tells that a run is abandoned. */
  aheadMs: number
  /** Keys with an unknown outcome. */
  retry: readonly string[]
  /** The process is killed this many ms after its start command, or after so many answers. Without it the process ends by itself. */
  kill?: { from: 'begin' | number; ms: number }
}

let child: Awaited<ReturnType<typeof bundled>>
beforeAll(async () => {
  child = await bundled('tests/support/killed/money-child.ts')
})
afterAll(() => child?.remove())

/** Starts a process that has loaded its modules and waits for the command to open its database. */
function waiting(args: readonly string[]) {
  const process_: ChildProcess = spawn(process.execPath, [child.file, ...args], { stdio: 'pipe' })
  const ended = new Promise<NodeJS.Signals | null>((done) => process_.once('close', (_code, by) => done(by)))
  let errors = ''
  process_.stderr?.on('data', (part) => {
    errors += part
  })
  return {
    stop: () => process_.kill('SIGKILL'),
    async begin({ aheadMs, retry, kill }: Begin): Promise<Round> {
      const lines: string[] = []
      let answers = 0
      const die = () => void setTimeout(() => process_.kill('SIGKILL'), kill?.ms)
      createInterface(process_.stdout!).on('line', (line) => {
        lines.push(line)
        if (/^(?:done|no) /.test(line) && ++answers === kill?.from) die()
      })
      process_.stdin?.end(`${[aheadMs, kill ? 'on' : 'end', ...retry].join(' ')}\n`)
      if (kill?.from === 'begin') die()
      const signal = await ended
      expect(errors).toBe('')
      const of = (word: string) => lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
      const known = new Set([...of('done'), ...of('no')])
      const unknown = [...of('try'), ...retry].filter((key) => !known.has(key))
      const [openMs] = of('open')
      return { openMs: openMs === undefined ? undefined : Number(openMs), signal, done: of('done'), refused: of('no'), unknown }
    },
  }
}

onEngines(
  'money when the process is killed',
  (engine) => {
    test('acknowledged calls have taken effect; other calls have taken effect once or not at all', { tags: 'full' }, async () => {
      const draw = chance()
      const place = await engine.place('empty')
      const options = { ...place, log: createLog('silent'), onFatal: () => {}, migrations: auditedMigrations }
      if (engine.name === 'pglite') cpSync(inject('emptyDatabase'), place.dataDir, { recursive: true })
      const made = await openDatabase(options)
      const { credit } = await stageLedger(made)
      for (const uid of customersOf) for (const kind of ['change', 'lever', 'legal'] as const) await credit(uid, '1000', coins.usdt, kind)
      await made.close()
      const args = [place.dataDir, ...(place.databaseUrl ? [place.databaseUrl] : [])]
      const done = new Set<string>()
      const refused = new Set<string>()
      const openMs: number[] = []
      let unknown: string[] = []
      let retried = 0
      let begun = 0
      // The next process loads its modules while this one works.
      let next = waiting(args)
      async function round(kill: Begin['kill']): Promise<void> {
        const now = next
        if (kill) next = waiting(args)
        retried += unknown.length
        const one = await now.begin({ aheadMs: begun++ * 60_000, retry: unknown, ...(kill && { kill }) })
        expect(one.signal).toBe(kill ? 'SIGKILL' : null)
        for (const key of one.done) done.add(key)
        for (const key of one.refused) refused.add(key)
        unknown = one.unknown
        if (one.openMs !== undefined) openMs.push(one.openMs)
      }
      await withSeed(draw, async () => {
        try {
          for (let at = 0; at < rounds; at++) {
            await round({ from: 1 + draw.below(20), ms: killedAfterMs * draw.next() ** 2 })
            // In some rounds the database server is restarted too, sometimes while the next process recovers.
            if (at % 4 === 2) await engine.restart?.()
            if (at % 5 === 4) await round({ from: 'begin', ms: draw.next() * openMs[openMs.length - 1]! })
          }
          await round(undefined)
        } finally {
          next.stop()
        }
        expect(unknown).toEqual([])
        expect(retried).toBeGreaterThan(rounds)
        const database = await openDatabase(options)
        try {
          const { rows } = await sql<{ key: string; effects: number; answers: number }>`
            select e.key, count(*)::int as effects, (select count(*)::int from once_key k where k.key = e.key and (k.answer is not null or k.sealed is not null)) as answers
            from (select split_part(source, ':', 1) as key from ledger_event where kind <> 'credit' or source not like 'test:%') e group by e.key`.execute(
            database.db,
          )
          const effects = new Map(rows.map((row) => [row.key, row]))
          expect(done.size).toBeGreaterThan(rounds)
          expect([...done].filter((key) => effects.get(key)?.effects !== 1)).toEqual([])
          expect([...refused].filter((key) => effects.has(key))).toEqual([])
          expect(rows.filter((row) => row.effects !== 1 || row.answers !== 1 || !done.has(row.key))).toEqual([])
          const { checks } = await auditLedger(database)
          // Amounts frozen by this test belong to no withdrawal.
          expect(checks.filter((check) => check.breaches.length && !['I3', 'I6'].includes(check.name))).toEqual([])
          expect(checks.find((check) => check.says.startsWith('each event happened once'))?.breaches).toEqual([])
        } finally {
          await database.close()
        }
      })
    })
  },
  { ownServer: true },
)
