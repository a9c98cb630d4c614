import { renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import type { Database, DatabaseOptions } from '#server-kit/db/db.ts'
import { guardedKysely, outsideTransactions, safeInteger, transact } from '#server-kit/db/guarded-driver.ts'
import { migrate } from '#server-kit/db/migrate.ts'
import { copyRunning } from '#server-kit/db/pglite-backup.ts'
import { PgliteDriver } from '#server-kit/db/pglite-driver.ts'
import { type DiskState, diskError, diskLimits, diskState, folderFault, freeMegabytes } from '#server-kit/files/disk.ts'
import { lockFolder } from '#server-kit/files/lock.ts'
import { decideBoot, folderState, type Marker, readMarker, writeMarker, wrongCluster } from '#server-kit/files/marker.ts'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/** The engine never checkpoints by itself; without it the log grows for ever and a start after a crash takes ever longer. */
const checkpointLimits = { everyMs: 300_000, logBytes: 64 * 1_048_576, lookEveryWrites: 500, lookEveryMs: 10_000 } as const

const diskLookEveryMs = 200

function diskWatch(folder: string): () => Error | undefined {
  let looked: { at: number; state: DiskState } = { at: Number.NEGATIVE_INFINITY, state: 'up' }
  return () => {
    const at = performance.now()
    if (at - looked.at >= diskLookEveryMs) looked = { at, state: diskState(folder) }
    return looked.state === 'up' ? undefined : diskError(folder, looked.state)
  }
}

const types = { bytea: 17, int8: 20, date: 1082 } as const
export const parsers = {
  [types.int8]: safeInteger,
  [types.date]: (text: string) => text,
  [types.bytea]: (text: string) => Buffer.from(text.slice(2), 'hex'),
}

const howToAccept =
  'Put the right folder back. If this one is meant (a restored backup), remove tessera-marker.json beside it and start again. Nothing was changed.'

interface Identity {
  cluster: string
  checkpoint: string
}
async function identityOf(pg: PGlite): Promise<Identity> {
  const answer = await pg.query<Identity>(
    'select system_identifier::text as cluster, checkpoint_lsn::text as checkpoint from pg_control_system(), pg_control_checkpoint()',
  )
  const row = answer.rows[0]
  if (!row) throw new Error('the database does not say who it is')
  return row
}

async function hasMigrations(pg: PGlite): Promise<boolean> {
  const answer = await pg.query<{ there: boolean }>("select to_regclass('migration') is not null as there")
  return answer.rows[0]?.there === true
}

/** The engine does not say what it met; where the disk is the cause, the disk does. */
function whyNot(dataDir: string): string {
  const state = diskState(dataDir)
  if (state === 'full') return ` (${freeMegabytes(dataDir)} MB are free on its disk; it needs ${diskLimits.freeBytesMin / 1_048_576})`
  return state === 'up' ? '' : `: ${folderFault(diskError(dataDir, state))}`
}

async function openEngine(folder: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { PrivateFiles } = await import('#server-kit/db/pglite-files.ts')
  // The engine's own lock, which it neither needs beside ours nor can read when its process was killed between making and writing it.
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  try {
    return await PGlite.create({ dataDir: folder, fs: new PrivateFiles(folder), parsers })
  } catch (cause) {
    throw new StartRefused(`the database in ${folder} did not start${whyNot(join(folder, '..'))}. Its files were left as they are.`, {
      cause,
    })
  }
}

/** Opens what may be opened and makes what may be made. @throws Error that says what is wrong with the folder */
async function boot(dataDir: string, folder: string, options: DatabaseOptions): Promise<{ pg: PGlite; marker: Marker | undefined }> {
  const marker = readMarker(dataDir)
  const decision = decideBoot(marker, folderState(folder))
  if (typeof decision === 'object') throw new StartRefused(`${folder}: ${decision.refuse}. ${howToAccept}`)
  if (decision === 'open' || decision === 'adopt') {
    const pg = await openEngine(folder)
    const identity = await identityOf(pg)
    const wrong = marker && wrongCluster(marker, identity.cluster, identity.checkpoint)
    if (wrong) {
      await pg.close()
      throw new StartRefused(`${folder}: ${wrong}. ${howToAccept}`)
    }
    if (decision === 'open' || (await hasMigrations(pg))) return { pg, marker }
    await pg.close()
  }
  if (folderState(folder).exists) {
    const aside = `${folder}.unfinished-${Date.now()}`
    options.log.warn({ folder, aside }, 'the first start was cut off: its folder is put aside')
    renameSync(folder, aside)
  }
  writeMarker(dataDir, { format: 1, state: 'creating' })
  return { pg: await openEngine(folder), marker: undefined }
}

/** The embedded database in `<dataDir>/pg`, for one process. It survives the end of the process at any moment, not the loss of power. */
export async function openPglite(options: DatabaseOptions): Promise<Database> {
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'pg')
  const lock = lockFolder(dataDir)
  try {
    const { pg } = await boot(dataDir, folder, options)
    return await serve(pg, dataDir, lock.release, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function serve(pg: PGlite, dataDir: string, release: () => void, options: DatabaseOptions): Promise<Database> {
  let broken = false
  let checkpointed = { at: Date.now(), writes: 0 }
  let lookedAtWrites = 0
  let due: Promise<void> | undefined
  /** A copy needs the log that was written since it began: no checkpoint may cut it. */
  let isCopied = false
  const driver = new PgliteDriver(pg, {
    onFatal(error) {
      broken = true
      options.onFatal(error)
    },
    diskError: diskWatch(dataDir),
    onFree: () => look(checkpointLimits.lookEveryWrites),
  })
  const db = guardedKysely(() => driver, options.isWatched)

  const database: Database = {
    db,
    engine: 'pglite',
    transaction: (work) => transact(db, work),
    waiting: () => driver.waiting,
    async checkpoint() {
      if (isCopied) return
      await sql`checkpoint`.execute(db)
      checkpointed = { at: Date.now(), writes: driver.writes }
      writeMarker(dataDir, { format: 1, state: 'ready', ...(await identity()) })
    },
    async copyTo(to, signal) {
      if (isCopied) throw new Error('a copy is under way')
      isCopied = true
      try {
        await due
        return await copyRunning({ folder: join(dataDir, 'pg'), begin: beginCopy, end: endCopy }, to, signal)
      } finally {
        isCopied = false
      }
    },
    async close() {
      clearInterval(timer)
      await due
      if (!broken)
        await database
          .checkpoint()
          .catch((error: unknown) =>
            options.log.warn({ err: error }, 'database: the last checkpoint failed; the next start replays the log'),
          )
      await db.destroy()
      release()
    },
  }

  async function identity(): Promise<Identity> {
    const answer = await sql<Identity>`select system_identifier::text as cluster, checkpoint_lsn::text as checkpoint
      from pg_control_system(), pg_control_checkpoint()`.execute(db)
    return answer.rows[0]!
  }

  async function beginCopy(): Promise<Marker> {
    // Asked before, so that nothing can fail between a begun copy and its end; what the copy starts from is no older.
    const marker: Marker = { format: 1, state: 'ready', ...(await identity()) }
    await sql`select pg_backup_start('tessera', true)`.execute(db)
    return marker
  }

  async function endCopy(): Promise<string> {
    const answer = await sql<{ labelfile: string }>`select labelfile from pg_backup_stop(false)`.execute(db)
    return answer.rows[0]!.labelfile
  }

  async function logBytes(): Promise<number> {
    const answer = await sql<{ bytes: string }>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::text as bytes
      from pg_control_checkpoint()`.execute(db)
    return Number(answer.rows[0]?.bytes)
  }

  /** Looks at the log after enough writes, and checkpoints when it is long or the last checkpoint is old. */
  function look(writesLeast: number): void {
    const writes = driver.writes
    if (due || broken || isCopied || writes - lookedAtWrites < writesLeast || writes === checkpointed.writes) return
    lookedAtWrites = writes
    due = outsideTransactions(async () => {
      await nextTurn()
      const old = Date.now() - checkpointed.at >= checkpointLimits.everyMs
      if (old || (await logBytes()) >= checkpointLimits.logBytes) await database.checkpoint()
    })
      .catch((error: unknown) => options.log.warn({ err: error }, 'database: a checkpoint failed; it is tried again'))
      .finally(() => {
        due = undefined
      })
  }

  const timer = setInterval(() => look(0), checkpointLimits.lookEveryMs).unref()
  try {
    await migrate(database, options.migrations ?? [], options.log)
    writeMarker(dataDir, { format: 1, state: 'ready', ...(await identity()) })
  } catch (error) {
    clearInterval(timer)
    if (!broken) await db.destroy()
    throw error
  }
  return database
}
