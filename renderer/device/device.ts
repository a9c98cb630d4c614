import type { AppDoc, Json } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { type Records, recordsOf, withRecord } from '#renderer/core/records.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'

type DeviceKey = AppDoc['device'][string]

/** Modals of the specification: 'local data setting failed, please check storage' and 'delete data failed'. */
type DeviceProblem = 'local_data_setting_failed' | 'delete_data_failed'

export interface DeviceOptions {
  /** Absent when the browser blocks it; everything then lives in memory. */
  storage: Storage | undefined
  /** The keys that the app document declares; a function when the document may change while the app runs. */
  keys: AppDoc['device'] | (() => AppDoc['device'])
  /** Values that a device stored with a lower version than this are cleared once; the version is this one afterwards. */
  resetBelow?: number
  /** Each problem at most once. */
  onProblem: (problem: DeviceProblem) => void
  /** Where changes made by other tabs are announced: the window. */
  events?: { addEventListener(type: 'storage', listener: (event: Pick<StorageEvent, 'key' | 'newValue'>) => void): void }
}

/** The values that the app stores on this device. A value that does not fit its declaration is never given out. */
export interface Device {
  /** The kept value, else the declared default; null for a name that is not declared. The same reference until it changes. */
  get(name: string): Json
  /** A value that does not fit becomes the default; lists are cut to their declared length. */
  set(name: string, value: Json): void
  /** Changes one record of a list. @param member absent: all of it */
  setRecord(name: string, by: string | number, member: string | undefined, value: unknown): void
  /** `token` is a name here too: it reports login and logout, also in another tab. */
  onChange(name: string, wake: () => void): () => void
  token(): string | undefined
  setToken(token: string | undefined): void
  /** Text of the engine's own, out of the reach of documents; null when nothing is kept. `onChange` reports it too. */
  kept(name: OwnName): string | null
  keep(name: OwnName, text: string | null): void
}

/**
 * `user`: who is logged in, shown at once at the next start · `segment`: `1.<level>` of a session, sent with the first manifest (segment.ts) ·
 * `favourites_sync`: what of the favourites the account has ·
 * `presses`: calls whose answer is not here yet · `clock`: how far the server is ahead of the device's clock, in milliseconds ·
 * `rates`: fiat rates, with the time at which they came.
 */
type OwnName = 'user' | 'segment' | 'favourites_sync' | 'presses' | 'clock' | 'rates'

const resetBelowDefault = 1
/** Kept beside the declared values; documents cannot reach them. */
const reserved = new Set(['token', 'version', 'user', 'segment', 'favourites_sync', 'presses', 'clock', 'rates'])
const textLengthMax = 2_000
const tokenPattern = /^[\x21-\x7e]{1,512}$/

export function createDevice({ storage, keys, resetBelow = resetBelowDefault, onProblem, events }: DeviceOptions): Device {
  const texts = new Map<string, string | null>()
  const values = new Map<string, { text: string | null; key: DeviceKey; value: Json }>()
  const wakes = new Map<string, Set<() => void>>()
  const reported = new Set<DeviceProblem>()

  const report = (problem: DeviceProblem) => {
    if (reported.has(problem)) return
    reported.add(problem)
    onProblem(problem)
  }
  const wake = (name: string) => {
    for (const one of wakes.get(name) ?? []) one()
  }
  const keyOf = (name: string): DeviceKey | undefined => {
    const all = typeof keys === 'function' ? keys() : keys
    return Object.hasOwn(all, name) && !reserved.has(name) ? all[name] : undefined
  }

  function read(name: string): string | null {
    const known = texts.get(name)
    if (known !== undefined) return known
    let text: string | null = null
    try {
      text = storage?.getItem(storagePrefix + name) ?? null
    } catch {
      report('local_data_setting_failed')
    }
    texts.set(name, text)
    return text
  }
  /** Memory first: what storage refuses still holds until the page is closed. */
  function write(name: string, text: string | null): void {
    if (read(name) === text) return
    texts.set(name, text)
    try {
      if (text === null) storage?.removeItem(storagePrefix + name)
      else if (storage) storage.setItem(storagePrefix + name, text)
      else report('local_data_setting_failed')
    } catch {
      report(text === null ? 'delete_data_failed' : 'local_data_setting_failed')
    }
    wake(name)
  }
  function clearOld(): void {
    if (!storage || Number(read('version')) >= resetBelow) return
    try {
      const old = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '').filter((key) => key.startsWith(storagePrefix))
      for (const key of old) storage.removeItem(key)
      texts.clear()
    } catch {
      report('delete_data_failed')
    }
    write('version', String(resetBelow))
  }

  clearOld()
  events?.addEventListener('storage', (event) => {
    if (event.key !== null && !event.key.startsWith(storagePrefix)) return
    const names = event.key === null ? [...texts.keys()] : [event.key.slice(storagePrefix.length)]
    for (const name of names) {
      if (read(name) === event.newValue) continue
      texts.set(name, event.newValue)
      wake(name)
    }
  })

  const get = (name: string): Json => {
    const key = keyOf(name)
    if (!key) return null
    const text = read(name)
    const known = values.get(name)
    if (known && known.text === text && known.key === key) return known.value
    const value = checked(key, parse(text)) ?? checked(key, key.default) ?? key.default
    values.set(name, { text, key, value })
    return value
  }

  return {
    get,
    set(name, value) {
      const key = keyOf(name)
      if (key) write(name, JSON.stringify(checked(key, value) ?? key.default))
    },
    setRecord(name, by, member, value) {
      const shape = keyOf(name)
      const rows = get(name)
      const records = shape && recordsIn(shape)
      if (records && Array.isArray(rows)) write(name, JSON.stringify(withRecord(records, rows, by, member, value)))
    },
    onChange(name, one) {
      const set = wakes.get(name) ?? new Set()
      wakes.set(name, set.add(one))
      return () => set.delete(one)
    },
    token() {
      const text = read('token')
      return text !== null && tokenPattern.test(text) ? text : undefined
    },
    setToken: (token) => write('token', token !== undefined && tokenPattern.test(token) ? token : null),
    kept: read,
    keep: write,
  }
}

function parse(text: string | null): Json | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** Returns the declaration of the records of a list; undefined for plain values. */
function recordsIn({ key, of, max }: DeviceKey): Records | undefined {
  return key === undefined || !of ? undefined : { key, of, max: Math.min(max ?? limits.deviceListMax, limits.recordsMax) }
}

/** The value as the declaration allows it; undefined when it does not. Members of a list are plain values. */
function checked(key: DeviceKey, value: Json | undefined): Json | undefined {
  switch (key.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'enum':
      return typeof value === 'string' && key.values?.includes(value) ? value : undefined
    case 'string':
      return typeof value === 'string' && value.length <= (key.max ?? textLengthMax) ? value : undefined
    case 'list': {
      const records = recordsIn(key)
      if (records) return Array.isArray(value) ? (recordsOf(records, value) as Json) : undefined
      const plain = (one: Json) =>
        typeof one === 'number' || (typeof one === 'string' && one.length <= textLengthMax && (key.values?.includes(one) ?? true))
      return Array.isArray(value) && value.every(plain) ? value.slice(0, key.max ?? limits.deviceListMax) : undefined
    }
  }
}
