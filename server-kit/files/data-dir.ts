import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Log } from '#server-kit/ops/log.ts'

/** Permissions that are taken from group and others: folders end up as 0700 and files as 0600. */
const othersMask = 0o077
/** Windows has no such permissions; Node reports 0666 for every file there. */
const hasModes = process.platform !== 'win32'
/**
 * Returns whether the server writes files of this name into DATA_DIR. Anything else in it belongs to somebody else and keeps its
 * permissions.
 */
const isOurs = (name: string) => /^(?:pg|pg\..+|uploads|secret\.key.*|tessera[-.].+)$/.test(name)

/** Returns whether the error is that of a folder that belongs to another user. */
const isForbidden = ({ code }: NodeJS.ErrnoException) => code === 'EACCES' || code === 'EPERM'

/** Another process may be at work in the folder: its lock, and files of its database, come and go. */
const gone = 'ENOENT'

interface Closed {
  /** Folders and files whose permissions were taken back. */
  closed: number
  /** Those that belong to another user or cannot be changed, as `path: code`. */
  failed: string[]
}

function closeOne(path: string, result: Closed): boolean {
  let found: Stats | undefined
  try {
    found = lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (!isForbidden(error as NodeJS.ErrnoException)) throw error
    result.failed.push(`${path}: ${(error as NodeJS.ErrnoException).code}`)
  }
  // The target of a link is not ours to change.
  if (!found?.isDirectory() && !found?.isFile()) return false
  if (found.mode & othersMask) {
    try {
      chmodSync(path, found.mode & 0o700)
      result.closed++
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== gone) result.failed.push(`${path}: ${code}`)
    }
  }
  return found.isDirectory()
}

function closeTree(path: string, result: Closed): void {
  if (!closeOne(path, result)) return
  let names: string[] = []
  try {
    names = readdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isForbidden(error as NodeJS.ErrnoException)) result.failed.push(`${path}: ${code}`)
    else if (code !== gone) throw error
  }
  for (const name of names) closeTree(join(path, name), result)
}

/**
 * Closes a folder of the server, and what the server wrote into it, to all other users of the machine, and logs when anything was open.
 * @param isOwn which names in the folder the server wrote
 */
export function closeToOthers(folder: string, isOwn: (name: string) => boolean, log: Log): void {
  if (!hasModes) return
  const result: Closed = { closed: 0, failed: [] }
  closeOne(folder, result)
  for (const name of readdirSync(folder)) if (isOwn(name)) closeTree(join(folder, name), result)
  if (result.closed)
    log.warn({ event: 'permissions', folder, closed: result.closed }, 'files were open to other users of this machine; they are closed now')
  if (result.failed.length) {
    const [first] = result.failed
    log.error(
      { event: 'permissions', folder, failed: result.failed.length, first },
      'files may be open to other users of this machine and cannot be closed',
    )
  }
}

/**
 * Makes DATA_DIR where it is missing and closes it to other users. From here on every file that this process makes is its user's alone; the
 * embedded database itself asks for 0666.
 * @returns the absolute path
 */
export function openDataDir(dataDir: string, log: Log): string {
  const folder = resolve(dataDir)
  if (isMainThread) process.umask(othersMask)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeToOthers(folder, isOurs, log)
  return folder
}
