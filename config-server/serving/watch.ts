import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Calls `changed` with the paths of changed files once the files below the folders have been quiet for `quietMs`. Every folder has its own watcher
 * and the list of folders is read again after each change: a file that is replaced, and a folder that is new, are seen like any other. The
 * recursive watch of Node 20 misses the second time that a file is replaced.
 * @returns ends it
 */
export async function watchFolders(
  folders: readonly string[],
  changed: (files: ReadonlySet<string>) => Promise<void> | void,
  quietMs = 50,
): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>()
  let files = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let running: Promise<void> = Promise.resolve()

  /** One after the other, so that what was read last is what counts. */
  const run = async () => {
    await follow()
    const reported = files
    files = new Set()
    if (!ended) await changed(reported)
  }
  const soon = (file: string) => {
    files.add(file)
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(run)
    }, quietMs)
  }
  async function follow(): Promise<void> {
    const found = new Set<string>()
    const isFirst = watchers.size === 0
    for (const folder of folders) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      found.add(folder)
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isDirectory()) found.add(path)
        // Files of a new folder may be older than its watcher.
        else if (!isFirst && !watchers.has(entry.parentPath)) files.add(path)
      }
    }
    for (const [folder, watcher] of watchers) {
      if (!found.has(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    }
    for (const folder of found) {
      if (ended || watchers.has(folder)) continue
      try {
        const watcher = watch(folder, (_event, name) => soon(name === null ? folder : join(folder, name)))
        watcher.on('error', () => watcher.close())
        watchers.set(folder, watcher)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }
  await follow()
  return () => {
    ended = true
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}
