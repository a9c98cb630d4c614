import { ConsoleError } from '#console/io/client.ts'
import type { Unsaved } from '#console/io/unsaved.ts'
import type { SaveState } from '#console/io/workspace-types.ts'
import type { DraftFile, SaveConflict } from '#language/publish/publishing.ts'

interface SaverOptions {
  /** Gives one file to the server. @returns its new state; version 0 where the draft no longer changes it */
  send: (path: string, edit: Unsaved) => Promise<DraftFile>
  onSaved: (path: string, file: DraftFile) => void
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
  /** Sends now, also what was refused before. @returns true when the server has everything */
  flush(): Promise<boolean>
  end(): void
}

const retryMaxMs = 15_000
const passing = (error: ConsoleError) => error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500

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

  /** Texts that were sent and not answered: the server may have them. */
  const unanswered = new Map<string, Set<string | null>>()
  /** Files that the server refused since `run` began; they do not hold up the others. */
  const refused = new Set<string>()

  const sendable = () => [...waiting.keys()].filter((path) => !held.has(path) && !refused.has(path))
  const later = (ms: number) => {
    clearTimeout(timer)
    if (!ended) timer = setTimeout(() => void run(), ms)
  }

  /** @returns false where sending anything is useless for now */
  const one = async (path: string): Promise<boolean> => {
    const edit = waiting.get(path)
    if (!edit) return true
    try {
      const file = await send(path, edit)
      failures = 0
      if (refused.size === 0) error = null
      savedAt = now()
      unanswered.delete(path)
      const newest = waiting.get(path)
      if (newest?.text === edit.text) waiting.delete(path)
      // Another text in the answer was saved by somebody else right after: the old version makes the next save a conflict.
      else if (newest) waiting.set(path, { text: newest.text, version: file.text === edit.text ? file.version : edit.version })
      onSaved(path, file)
      return true
    } catch (problem) {
      const refusal = problem instanceof ConsoleError ? problem : new ConsoleError('internal', 500, String(problem))
      const theirs = refusal.code === 'save_conflict' ? (refusal.data as SaveConflict | undefined)?.theirs : undefined
      if (theirs) {
        const newest = waiting.get(path) ?? edit
        if (theirs.text === newest.text) {
          unanswered.delete(path)
          waiting.delete(path)
          onSaved(path, theirs)
        } else if (unanswered.get(path)?.has(theirs.text)) {
          unanswered.delete(path)
          waiting.set(path, { text: newest.text, version: theirs.version })
        } else {
          held.add(path)
          onConflict(path, newest.text, theirs)
        }
        return true
      }
      error = refusal
      if (!passing(refusal)) {
        if (waiting.get(path)?.text === edit.text) refused.add(path)
        return refusal.status !== 401
      }
      unanswered.set(path, (unanswered.get(path) ?? new Set()).add(edit.text))
      failures += 1
      later(Math.min(retryMs * 2 ** (failures - 1), retryMaxMs))
      return false
    }
  }

  const run = (): Promise<void> => {
    clearTimeout(timer)
    running ??= (async () => {
      refused.clear()
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
      refused.delete(path)
      if (!held.has(path) && !running) later(delayMs)
      onChange()
    },
    forget(path) {
      waiting.delete(path)
      held.delete(path)
      unanswered.delete(path)
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
      refused.clear()
      if (sendable().length > 0) await run()
      return waiting.size === 0
    },
    end() {
      ended = true
      clearTimeout(timer)
    },
  }
}
