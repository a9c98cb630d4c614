import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { auditLedger } from '#api-server/ledger/audit.ts'
import { walletMigration } from '#api-server/wallet/wallet.migration.ts'
import { openDatabase } from '#server-kit/db.ts'
import { createLog } from '#server-kit/log.ts'
import { onBothEngines } from '#tests/support/engines.ts'
import { moneyMigrations } from '#tests/support/ledger-stage.ts'
import { sized } from '#tests/support/sizes.ts'

/** Each takes the start of a process. */
const rounds = sized(5, 200)
/** After a kill; on a machine that is busy four times a start after a clean end. */
const readyMs = 5_000

interface Round {
  openMs: number
  done: string[]
  refused: string[]
  unknown: string[]
}

/**
 * One process that is killed at a random moment, some answers after it has begun anew.
 * @param aheadMs of its clock: between nodes only time tells that a run is not coming back
 */
async function killed(args: readonly string[], retry: readonly string[], aheadMs: number): Promise<Round> {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'tests/support/money-child.ts', ...args], { stdio: 'pipe' })
  const lines: string[] = []
  let errors = ''
  child.stderr?.on('data', (part) => {
    errors += part
  })
  let left = 10 + Math.floor(Math.random() * 50)
  let begun = false
  createInterface(child.stdout!).on('line', (line) => {
    lines.push(line)
    begun ||= line === 'again'
    if (begun && /^(?:done|no) /.test(line) && --left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20)
  })
  child.stdin?.write(`${[aheadMs, ...retry].join(' ')}\n`)
  const signal = await new Promise((ended) => child.once('close', (_code, by) => ended(by)))
  expect(signal, errors).toBe('SIGKILL')
  const of = (word: string) => lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
  const known = new Set([...of('done'), ...of('no')])
  const tried = [...of('try'), ...retry]
  return { openMs: Number(of('open')[0]), done: of('done'), refused: of('no'), unknown: tried.filter((key) => !known.has(key)) }
}

onBothEngines('money when the process is killed', (engine) => {
  test('what was acknowledged is there, what was not has happened once or not at all', { timeout: sized(240_000, 7_200_000) }, async () => {
    const place = await engine.place()
    const args = [place.dataDir, ...(place.databaseUrl ? [place.databaseUrl] : [])]
    const done = new Set<string>()
    const refused = new Set<string>()
    const openMs: number[] = []
    let unknown: string[] = []
    for (let round = 0; round < rounds; round++) {
      const one = await killed(args, unknown, engine.name === 'postgres' ? round * 60_000 : 0)
      for (const key of one.done) done.add(key)
      for (const key of one.refused) refused.add(key)
      unknown = one.unknown
      openMs.push(one.openMs)
      await engine.restart?.()
    }
    const options = { ...place, log: createLog('silent'), onFatal: () => {}, migrations: [...moneyMigrations, walletMigration] }
    await (await openDatabase(options)).close()
    const from = performance.now()
    const database = await openDatabase(options)
    const cleanMs = performance.now() - from
    try {
      const { rows } = await sql<{ key: string; effects: number; answers: number }>`
        select e.key, count(*)::int as effects, (select count(*)::int from once_key k where k.key = e.key and (k.answer is not null or k.sealed is not null)) as answers
        from (select split_part(source, ':', 1) as key from ledger_event) e group by e.key`.execute(database.db)
      const effects = new Map(rows.map((row) => [row.key, row]))
      expect(done.size).toBeGreaterThan(rounds * 5)
      expect([...done].filter((key) => effects.get(key)?.effects !== 1)).toEqual([])
      expect([...refused].filter((key) => effects.has(key))).toEqual([])
      expect(rows.filter((row) => row.effects !== 1 || row.answers !== 1)).toEqual([])
      const { checks } = await auditLedger(database)
      // What is held here belongs to no withdrawal.
      expect(checks.filter((check) => check.breaches.length && !['I3', 'I6'].includes(check.name))).toEqual([])
      expect(checks.find((check) => check.says.startsWith('each event happened once'))?.breaches).toEqual([])
      const again = openMs.slice(1).sort((a, b) => a - b)
      expect(again[again.length >> 1]).toBeLessThan(Math.max(readyMs, 4 * cleanMs))
    } finally {
      await database.close()
    }
  })
})
