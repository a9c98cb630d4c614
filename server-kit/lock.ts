import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StartRefused } from '#server-kit/start-refused.ts'

/** Who holds a folder. `startTicks` tells a process from a later one with the same number; 0 where the system does not say. */
interface Holder {
  pid: number
  startTicks: number
  host: string
  since: string
}

export interface FolderLock {
  release(): void
}

const beatMs = 5_000
/** Beyond so long without a beat a holder on another host counts as gone. */
const silentMs = 30_000
/** A take-over lasts microseconds; one older than this was cut off. */
const takeoverMs = 10_000

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

function create(file: string): boolean {
  const holder: Holder = { pid: process.pid, startTicks: startTicksOf(process.pid), host: hostname(), since: new Date().toISOString() }
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Replaces the lock of a dead process; only one of several newcomers gets to do it. */
function takeOver(file: string): boolean {
  const door = `${file}.takeover`
  if (ageMs(door) > takeoverMs) rmSync(door, { recursive: true, force: true })
  try {
    mkdirSync(door)
  } catch {
    return false
  }
  try {
    const holder = readHolder(file)
    if (holder ? isAlive(holder, file) : ageMs(file) < takeoverMs) return false
    rmSync(file, { force: true })
    return create(file)
  } finally {
    rmdirSync(door)
  }
}

/**
 * Takes a folder for this process alone. The engine takes no lock of its own, and two of them in one folder lose data without an error.
 * A lock is never taken from a living process; that of a dead one is replaced.
 * @throws Error naming the process that holds the folder
 */
export function lockFolder(folder: string): FolderLock {
  const file = join(folder, 'tessera.lock')
  if (!create(file) && !takeOver(file)) {
    const holder = readHolder(file)
    const who = holder
      ? `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`} (since ${holder.since})`
      : 'another process'
    throw new StartRefused(`${folder} is in use by ${who}; stop it first, or give this one another DATA_DIR`)
  }
  const beat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The beat only matters to other hosts; a lost file is found when the lock is released.
    }
  }, beatMs).unref()
  return {
    release() {
      clearInterval(beat)
      const holder = readHolder(file)
      if (holder?.pid === process.pid && holder.host === hostname()) rmSync(file, { force: true })
    },
  }
}
