import { type Dirent, mkdirSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Marker, writeMarker } from '#server-kit/files/marker.ts'

/** The parts of the engine that a copy of its files needs. While it lasts the engine must not cut its log. */
interface CopySource {
  /** The folder of the engine. */
  folder: string
  /** Writes a checkpoint and has every page that changes from now on written to the log as a whole. */
  begin(): Promise<Marker>
  /** @returns what the copy must hold as `backup_label`, so that its first start plays the log from `begin` on */
  end(): Promise<string>
}

export interface Copied {
  bytes: number
}

/** Kept free on the disk that the copy goes to. */
const reserveBytes = 96 * 1_048_576
/** Of the process that ran, or made anew at each start. */
const isOfProcess = (path: string) => /(?:^|\/)(?:postmaster\.pid|pg_internal\.init(?:\.\d+)?|pg_stat_tmp\/.+)$/.test(path)
const isControl = (path: string) => path === 'global/pg_control'
const isLog = (path: string) => /^pg_wal\/[^/]+$/.test(path)
const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function entriesOf(folder: string): Promise<{ folders: string[]; files: string[] }> {
  const all: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true })
  const path = (one: Dirent) => join(one.parentPath, one.name).slice(folder.length + 1)
  const files = all.filter((one) => one.isFile()).map(path)
  return { folders: all.filter((one) => one.isDirectory()).map(path), files: files.filter((one) => !isOfProcess(one)) }
}

/** The engine works in this thread, so that each answer of the disk waits for a turn: so many files are under way at once. */
const filesAtOnce = 16

async function forEach(files: readonly string[], signal: AbortSignal, work: (file: string) => Promise<void>): Promise<void> {
  const left = [...files]
  const worker = async () => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      signal.throwIfAborted()
      await work(file)
    }
  }
  // None may still be at work when the first failure is reported.
  const ended = await Promise.allSettled(Array.from({ length: filesAtOnce }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** A table that is dropped meanwhile is dropped by the log as well. */
async function copyEach(from: string, to: string, files: readonly string[], signal: AbortSignal): Promise<string[]> {
  const copied: string[] = []
  await forEach(files, signal, async (file) => {
    try {
      await copyFile(join(from, file), join(to, file))
      copied.push(file)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  })
  return copied
}

/** To the disk, all after all were written: one by one each would wait for the disk alone. */
const flushEach = (folder: string, files: readonly string[], signal: AbortSignal) =>
  forEach(files, signal, async (file) => {
    const handle = await open(join(folder, file), 'r+')
    try {
      await handle.datasync()
    } finally {
      await handle.close()
    }
  })

/**
 * Copies a database while it works, the way PostgreSQL's base backup does: first its files, in whatever state each is met, then the log that was
 * written meanwhile, which makes one moment of them when the copy is started. The copy is a whole DATA_DIR without its keys. It appears under
 * its name when it is complete; until then, or when the process is killed, it is `<name>.unfinished`.
 * @throws Error when there is no room, or the signal says so; nothing is left then
 */
export async function copyRunning(source: CopySource, to: string, signal: AbortSignal): Promise<Copied> {
  const aside = `${to}.unfinished`
  const folder = join(aside, 'pg')
  await rm(aside, { recursive: true, force: true })
  mkdirSync(dirname(to), { recursive: true })
  try {
    const before = await entriesOf(source.folder)
    const bytes = before.files.reduce((sum, file) => sum + (statSync(join(source.folder, file), { throwIfNoEntry: false })?.size ?? 0), 0)
    const { bavail, bsize } = statfsSync(dirname(to))
    if (bavail * bsize < bytes + reserveBytes) throw new Error(`a copy of ${bytes} bytes does not fit on the disk of ${dirname(to)}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const marker = await source.begin()
    let copied: string[] = []
    let label: string
    try {
      const { folders, files } = await entriesOf(source.folder)
      for (const one of folders) mkdirSync(join(folder, one), { recursive: true })
      copied = await copyEach(
        source.folder,
        folder,
        files.filter((file) => !isLog(file) && !isControl(file)),
        signal,
      )
      // The engine writes it from this thread, so that it is whole when it is read in one piece.
      writeFileSync(join(folder, 'global/pg_control'), readFileSync(join(source.folder, 'global/pg_control')), { flush: true })
    } finally {
      label = await source.end()
    }
    writeFileSync(join(folder, 'backup_label'), label, { flush: true })
    const log = (await entriesOf(source.folder)).files.filter(isLog)
    await flushEach(folder, [...copied, ...(await copyEach(source.folder, folder, log, signal))], signal)
    writeMarker(aside, marker)
    await rename(aside, to)
    return { bytes }
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
}
