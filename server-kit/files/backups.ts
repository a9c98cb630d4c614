import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Registry } from 'prom-client'
import type { Database } from '#server-kit/db/db.ts'
import { copyName, copyTime, outdatedCopies } from '#server-kit/files/backups.rules.ts'
import { closeToOthers } from '#server-kit/files/data-dir.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import { every, type RepeatedJob } from '#server-kit/ops/every.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface Backups {
  /** Copies now, unless a copy is under way: then that one is meant. @returns the folder of the copy, or undefined when it failed (which is logged) */
  run(): Promise<string | undefined>
  /** Copies when the newest copy has grown old, from now on. */
  start(): void
  /** Gives up a copy that is under way. Before the database is closed. */
  stop(): Promise<void>
  /** For /metrics. `age_seconds` is -1 while there is no copy. */
  metrics(): { age_seconds: number; copies: number; failures: number; bytes: number; seconds: number }
}

interface BackupOptions {
  database: Database
  /** Folder of the copies. */
  dir: string
  everyMs: number
  clock: Clock
  log: Log
  /** Gets the metrics of jobs; see every.ts. */
  registry?: Registry | undefined
}

const lookEveryMs = 5_000

/** Copies the embedded database while it works. @throws Error on PostgreSQL, which has ways of its own */
export function createBackups({ database, dir, everyMs, clock, log, registry }: BackupOptions): Backups {
  const { copyTo } = database
  if (!copyTo) throw new Error('only the embedded database is copied')
  const place = resolve(dir)
  mkdirSync(place, { recursive: true, mode: 0o700 })
  closeToOthers(place, (name) => copyTime(name.replace(/\.unfinished$/, '')) !== undefined, log)
  const counts = { failures: 0, bytes: 0, seconds: 0 }
  const giveUp = new AbortController()
  let underWay: Promise<string | undefined> | undefined
  let job: RepeatedJob | undefined
  /** After a failure not at once again. */
  let triedAt = Number.NEGATIVE_INFINITY

  const names = () => readdirSync(place)
  const times = () => names().flatMap((name) => copyTime(name) ?? [])
  const newest = () => Math.max(Number.NEGATIVE_INFINITY, ...times())

  async function copy(): Promise<string | undefined> {
    const at = clock.now()
    triedAt = at
    const from = performance.now()
    const to = join(place, copyName(at))
    if (existsSync(to)) return to
    try {
      for (const name of names()) if (name.endsWith('.unfinished')) rmSync(join(place, name), { recursive: true, force: true })
      const { bytes } = await copyTo!(to, giveUp.signal)
      Object.assign(counts, { bytes, seconds: (performance.now() - from) / 1_000 })
      log.info({ event: 'backup', to, bytes, seconds: counts.seconds }, 'the database was copied')
      for (const name of outdatedCopies(names())) rmSync(join(place, name), { recursive: true, force: true })
      return to
    } catch (error) {
      if (giveUp.signal.aborted) return undefined
      counts.failures++
      log.error({ err: error, event: 'backup' }, 'the database could not be copied')
      return undefined
    }
  }

  function run(): Promise<string | undefined> {
    underWay ??= copy().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  async function look(): Promise<void> {
    const now = clock.now()
    if (now - newest() >= everyMs && now - triedAt >= Math.min(everyMs, 60_000)) await run()
  }

  return {
    run,
    start() {
      job = every(lookEveryMs, { name: 'backup_check', work: look, log, registry })
      void job.run()
    },
    async stop() {
      giveUp.abort()
      await job?.stop()
      await underWay
    },
    metrics() {
      const all = times()
      const age_seconds = all.length ? Math.max(0, Math.round((clock.now() - Math.max(...all)) / 1_000)) : -1
      return { ...counts, age_seconds, copies: all.length }
    },
  }
}
