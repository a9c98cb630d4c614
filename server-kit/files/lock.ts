import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/**
 * The process that holds a folder. `startTicks` distinguishes a process from a later one with the same number; 0 where the system does not
 * report it.
 */
interface Holder {
  pid: number
  startTicks: number
  host: string
  since: string
}

interface FolderLock {
  release(): void
}

const beatMs = 5_000
/** Beyond so long without a beat a holder on another host counts as gone. */
const silentMs = 30_000
/** Others that take the lock between our look and our try; each of them may be dead already. */
const triesMax = 5

/** The process's start time in clock ticks since boot, from /proc; 0 where there is none. */
function startTicksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 0)
  } catch {
    return 0
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return typeof holder.pid === 'number'
      ? { pid: holder.pid, startTicks: holder.startTicks ?? 0, host: holder.host ?? '', since: holder.since ?? '' }
      : undefined
  } catch {
    return undefined
  }
}

const ageMs = (file: string) => {
  try {
    return Date.now() - statSync(file).mtimeMs
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function isAlive(holder: Holder, file: string): boolean {
  if (holder.host !== hostname()) return ageMs(file) < silentMs
  if (!isRunning(holder.pid)) return false
  return holder.startTicks === 0 || startTicksOf(holder.pid) === holder.startTicks
}

/** Error codes of the system where another process's lock exists; on some systems, an empty folder is in the way as well. */
const inTheWay = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES'])

/** @returns false when another's lock is in the way */
function placed(aside: string, lock: string): boolean {
  try {
    renameSync(aside, lock)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // The process that has the lock by now removes the files that others wrote aside.
    if (inTheWay.has(code) || code === 'ENOENT') return false
    throw error
  }
}

/** The notes in a lock. It was a file of its own once. */
function notesIn(lock: string): string[] {
  try {
    return readdirSync(lock).map((name) => join(lock, name))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? [lock] : []
  }
}

/** Removes files of dead lock owners. File names are never reused, so a new owner's file is safe. @returns the living owner */
function clear(lock: string): Holder | undefined {
  for (const note of notesIn(lock)) {
    const holder = readHolder(note)
    if (holder && isAlive(holder, note)) return holder
    rmSync(note, { force: true })
  }
  removeEmpty(lock)
  return undefined
}

function removeEmpty(lock: string): void {
  try {
    rmdirSync(lock)
  } catch {
    // Gone, or somebody's by now.
  }
}

/** Removes the files that killed processes wrote aside while they asked for the lock. */
function sweepBeside(lock: string): void {
  const others = readdirSync(dirname(lock)).filter((name) => name.startsWith(`${basename(lock)}.`))
  for (const name of others) rmSync(join(dirname(lock), name), { recursive: true, force: true })
}

/**
 * Takes a folder for this process alone. The engine takes no lock of its own, and two of them in one folder lose data without an error.
 * A lock is never taken from a living process; that of a dead one is replaced. It is a folder with one note in it, made aside and put in its
 * place by one step that fails where another stands: there is no moment in which a process could die and leave half of it.
 * @throws Error naming the process that holds the folder
 */
export function lockFolder(folder: string): FolderLock {
  const lock = join(folder, 'tessera.lock')
  const holder: Holder = { pid: process.pid, startTicks: startTicksOf(process.pid), host: hostname(), since: new Date().toISOString() }
  const name = `${process.pid}-${randomUUID()}`
  const aside = `${lock}.${name}`
  mkdirSync(aside)
  try {
    writeFileSync(join(aside, name), JSON.stringify(holder))
    let living: Holder | undefined
    let isMine = false
    for (let tries = 0; tries < triesMax && !isMine && !living; tries++) {
      isMine = placed(aside, lock)
      if (!isMine) living = clear(lock)
    }
    if (!isMine) {
      const who = living
        ? `process ${living.pid}${living.host === hostname() ? '' : ` on ${living.host}`} (since ${living.since})`
        : 'another process'
      throw new StartRefused(`${folder} is in use by ${who}; stop it first, or give this one another DATA_DIR`)
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  sweepBeside(lock)
  const note = join(lock, name)
  const beat = setInterval(() => {
    try {
      utimesSync(note, new Date(), new Date())
    } catch {
      // The beat only matters to other hosts; a lost note is found when the lock is released.
    }
  }, beatMs).unref()
  return {
    release() {
      clearInterval(beat)
      rmSync(note, { force: true })
      removeEmpty(lock)
    },
  }
}
