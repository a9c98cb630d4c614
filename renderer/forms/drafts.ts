import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/**
 * Keeps entries of customers that are not sent yet. It outlives navigation, a reload and a lost session, in memory and in the storage of
 * the tab. Passwords and codes never come here; the caller leaves them out.
 */

/** Fields of one draft: the type that they had, and what the control held. */
export type DraftFields = Readonly<Record<string, readonly [type: string, raw: unknown]>>

export interface Drafts {
  /** @param key form, its place, and whose it is; see `draftKey` */
  read(key: string): DraftFields
  /** No fields: the draft is forgotten. Storage hears of it a moment later. */
  write(key: string, fields: DraftFields): void
  /** Writes what still waits; for when the page is hidden. */
  flush(): void
  /** Forgets every draft, those of other accounts too: somebody logged out. */
  forget(): void
}

interface DraftOptions {
  /** Absent when the browser blocks it: drafts then live as long as the page. */
  storage: Storage | undefined
  later: (run: () => void, ms: number) => void
}

export const draftPrefix = `${storagePrefix}draft.`
export const draftLimits = { keyLengthMax: 400, draftLengthMax: 60_000, draftsMax: 30, writeAfterMs: 400 } as const

/** Null where a draft cannot be kept apart from others: the address of the screen is too long. */
export function draftKey(form: string, account: string, params: Readonly<Record<string, unknown>>): string | null {
  const place = Object.keys(params)
    .sort()
    .map((name) => `${name}=${String(params[name])}`)
    .join('&')
  const key = `${account}/${form}?${place}`
  return key.length <= draftLimits.keyLengthMax ? key : null
}

export function createDrafts({ storage, later }: DraftOptions): Drafts {
  const known = new Map<string, DraftFields>()
  const waiting = new Set<string>()
  let scheduled = false

  /** Storage may be full, blocked or meddled with: a draft is then as good as none, and never an error. */
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  const keysInStorage = () =>
    attempt(() => Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? '').filter((k) => k.startsWith(draftPrefix))) ??
    []

  function flush(): void {
    scheduled = false
    for (const key of waiting) {
      const fields = known.get(key)
      const text = fields && JSON.stringify(fields)
      if (text === undefined || text.length > draftLimits.draftLengthMax) attempt(() => storage?.removeItem(draftPrefix + key))
      else attempt(() => storage?.setItem(draftPrefix + key, text))
    }
    waiting.clear()
  }

  return {
    read(key) {
      const before = known.get(key)
      // A draft that was forgotten just now is in storage a moment longer.
      if (before || waiting.has(key)) return before ?? {}
      const text = attempt(() => storage?.getItem(draftPrefix + key)) ?? null
      return (text !== null && text.length <= draftLimits.draftLengthMax && attempt(() => checked(JSON.parse(text)))) || {}
    },
    write(key, fields) {
      known.delete(key)
      if (Object.keys(fields).length > 0) known.set(key, fields)
      for (const oldest of known.keys()) {
        if (known.size <= draftLimits.draftsMax) break
        known.delete(oldest)
        waiting.add(oldest)
      }
      waiting.add(key)
      if (scheduled) return
      scheduled = true
      later(flush, draftLimits.writeAfterMs)
    },
    flush,
    forget() {
      known.clear()
      waiting.clear()
      for (const key of keysInStorage()) attempt(() => storage?.removeItem(key))
    },
  }
}

const ofEngine = new WeakMap<object, Drafts>()

/** The drafts of this tab, one set for each engine. */
export function draftsOf(engine: object): Drafts {
  let drafts = ofEngine.get(engine)
  if (!drafts) {
    drafts = createDrafts({ storage: tabStorage(), later: (run, ms) => void setTimeout(run, ms) })
    globalThis.addEventListener?.('pagehide', drafts.flush)
    ofEngine.set(engine, drafts)
  }
  return drafts
}

function tabStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}

/** Fields that have the shape of a draft; everything else was written by somebody else. */
function checked(value: unknown): DraftFields {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => Array.isArray(field) && field.length === 2 && typeof field[0] === 'string'),
  ) as DraftFields
}
