import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Calls `changed` once files below the folders have been quiet for `quietMs`. Every folder has its own watcher and the list of folders is read
 * again after each change: a file that an editor replaces, and a folder that is new, are seen like any other.
 * @returns ends it
 */
export async function watchFolders(folders: readonly string[], changed: () => Promise<void>, quietMs = 50): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let running: Promise<void> = Promise.resolve()

  /** One after the other, so that what was read last is what counts. */
  const run = async () => {
    await follow()
    if (!ended) await changed()
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(run)
    }, quietMs)
  }
  async function follow(): Promise<void> {
    const found = new Set<string>()
    for (const folder of folders) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      found.add(folder)
      for (const entry of entries) if (entry.isDirectory()) found.add(join(entry.parentPath, entry.name))
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
        const watcher = watch(folder, soon)
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
