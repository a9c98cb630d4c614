import { ConsoleError } from '#console/io/client.ts'
import type { Unsaved } from '#console/io/unsaved.ts'
import type { SaveState } from '#console/io/workspace-types.ts'
import type { DraftFile, SaveConflict } from '#language/publishing.ts'

export interface SaverOptions {
  /** Gives one file to the server. @returns its new state; null where the draft no longer changes it */
  send: (path: string, edit: Unsaved) => Promise<DraftFile | null>
  onSaved: (path: string, file: DraftFile | null) => void
  onConflict: (path: string, mine: string | null, theirs: DraftFile) => void
  /** Something of state() or of the edits that wait is different now. */
  onChange: () => void
  delayMs?: number
  retryMs?: number
  now?: () => number
}
/** Sends edits one after the other, the newest text of each file; keeps them while the server cannot be reached. */
export interface Saver {
  put(path: string, edit: Unsaved): void
  /** The edit of that file is not to be sent. */
  forget(path: string): void
  waiting(): ReadonlyMap<string, Unsaved>
  state(): SaveState
  /** Sends now. @returns true when the server has everything */
  flush(): Promise<boolean>
  end(): void
}

const retryMaxMs = 15_000
const passing = (error: ConsoleError) => error.status === 0 || error.status === 429 || error.status >= 500

export function createSaver(options: SaverOptions): Saver {
  const { send, onSaved, onConflict, onChange, delayMs = 300, retryMs = 1_000, now = Date.now } = options
  const waiting = new Map<string, Unsaved>()
  const held = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let error: ConsoleError | null = null
  let failures = 0
  let savedAt: number | null = null
  let ended = false

  const sendable = () => [...waiting.keys()].filter((path) => !held.has(path))
  const later = (ms: number) => {
    clearTimeout(timer)
    if (!ended) timer = setTimeout(() => void run(), ms)
  }

  const one = async (path: string): Promise<boolean> => {
    const edit = waiting.get(path)
    if (!edit) return true
    try {
      const file = await send(path, edit)
      failures = 0
      error = null
      savedAt = now()
      const newest = waiting.get(path)
      if (newest?.text === edit.text) waiting.delete(path)
      else if (newest) waiting.set(path, { text: newest.text, version: file?.version ?? 0 })
      onSaved(path, file)
      return true
    } catch (problem) {
      const told = problem instanceof ConsoleError ? problem : new ConsoleError('internal', 500, String(problem))
      const theirs = told.code === 'save_conflict' ? (told.data as SaveConflict | undefined)?.theirs : undefined
      if (theirs) {
        const newest = waiting.get(path) ?? edit
        if (theirs.text === newest.text) {
          waiting.delete(path)
          onSaved(path, theirs)
        } else {
          held.add(path)
          onConflict(path, newest.text, theirs)
        }
        return true
      }
      error = told
      if (passing(told)) {
        failures += 1
        later(Math.min(retryMs * 2 ** (failures - 1), retryMaxMs))
      }
      return false
    }
  }

  const run = (): Promise<void> => {
    clearTimeout(timer)
    running ??= (async () => {
      onChange()
      try {
        for (let [path] = sendable(); path !== undefined && !ended; [path] = sendable()) {
          const went = await one(path)
          onChange()
          if (!went) break
        }
      } finally {
        running = undefined
        onChange()
      }
    })()
    return running
  }

  return {
    put(path, edit) {
      // A file with a conflict keeps its newest text; it goes out once somebody has decided.
      waiting.set(path, edit)
      if (!held.has(path) && !running) later(delayMs)
      onChange()
    },
    forget(path) {
      waiting.delete(path)
      held.delete(path)
      onChange()
    },
    waiting: () => waiting,
    state() {
      const pending = [...waiting.keys()].sort()
      const state: SaveState['state'] =
        held.size > 0
          ? 'conflict'
          : error && pending.length > 0
            ? passing(error)
              ? 'offline'
              : 'refused'
            : running
              ? 'saving'
              : pending.length > 0
                ? 'waiting'
                : 'saved'
      return { state, pending, error: pending.length > 0 ? error : null, savedAt }
    },
    async flush() {
      while (running) await running
      if (sendable().length > 0) await run()
      return waiting.size === 0
    },
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}
