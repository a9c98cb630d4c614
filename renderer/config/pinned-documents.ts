import type { DocumentEntry, DocumentKey, Manifest } from '#language/publish/release.ts'

/** Documents that broke on this device, and what is shown in their place. */
export interface PinnedDocuments {
  /** The manifest with those documents put back. A document of which a newer revision has come is let go. */
  apply(manifest: Manifest): Manifest
  /**
   * A revision threw while it was drawn. The second time, or the first time when the whole screen is gone, the last one that worked takes
   * its place; the first time only until the page is closed. One that is lost, because it cannot be had, is no strike: it may be there tomorrow.
   * @param atMs when it threw, in ms of one clock; it may be counted long after, because this code is loaded late
   * @returns the outcome; `hopeless` when nothing else is to be had, or the earlier ones break as well. `counted` also when nobody could be
   * asked for an earlier one: the next strike asks again
   */
  struck(key: DocumentKey, sha256: string, gone: 'node' | 'screen' | 'lost', atMs: number): Promise<'counted' | 'pinned' | 'hopeless'>
  /** The revision has thrown here before. */
  suspect(sha256: string): boolean
}

interface PinnedOptions {
  /** The text that an earlier page stored. */
  text: string | null
  /** @param text null when there is nothing to keep */
  write: (text: string | null) => void
  /** The last revision that worked, past those that did not. Rejects when nobody could be asked. */
  find: (key: DocumentKey, broken: readonly string[]) => Promise<DocumentEntry | undefined>
}

interface Pin {
  broken: string[]
  good: DocumentEntry
}
interface Stored {
  strikes: [sha256: string, count: number][]
  pins: [DocumentKey, Pin][]
}

export const pinLimits = { strikes: 50, pins: 30, brokenMax: 4, sameDrawMs: 300 } as const
const enough = 2

export function createPinned({ text, write, find }: PinnedOptions): PinnedDocuments {
  const stored = read(text)
  const strikes = new Map(stored.strikes)
  const lasting = new Map(stored.pins)
  /** Those that this page has, whether they will be kept or not. */
  const pinned = new Map(lasting)
  const hopeless = new Set<string>()
  const lastAt = new Map<string, number>()
  const busy = new Set<string>()
  let written = text

  function save(): void {
    while (strikes.size > pinLimits.strikes) strikes.delete(strikes.keys().next().value ?? '')
    while (lasting.size > pinLimits.pins) lasting.delete(lasting.keys().next().value ?? ('' as DocumentKey))
    const next = strikes.size + lasting.size === 0 ? null : JSON.stringify({ strikes: [...strikes], pins: [...lasting] } satisfies Stored)
    if (next === written) return
    written = next
    write(next)
  }
  /** All failures of one draw count as one strike, however many nodes of the document fail. */
  function strike(sha256: string, atMs: number): number {
    const before = lastAt.get(sha256)
    lastAt.set(sha256, atMs)
    const count = strikes.get(sha256) ?? 0
    if (before !== undefined && atMs - before < pinLimits.sameDrawMs) return count
    strikes.delete(sha256)
    strikes.set(sha256, count + 1)
    return count + 1
  }

  return {
    apply(manifest) {
      let documents: Manifest['documents'] | undefined
      for (const [key, { broken, good }] of pinned) {
        const entry = Object.hasOwn(manifest.documents, key) ? manifest.documents[key] : undefined
        if (entry && broken.includes(entry.sha256)) documents = { ...(documents ?? manifest.documents), [key]: good }
        // A set from before the break has the good one by itself; that is no news.
        else if (entry?.sha256 !== good.sha256) {
          pinned.delete(key)
          lasting.delete(key)
          for (const sha256 of broken) strikes.delete(sha256)
        }
      }
      save()
      return documents ? { ...manifest, documents } : manifest
    },
    async struck(key, sha256, gone, atMs) {
      if (hopeless.has(sha256)) return 'hopeless'
      const count = gone === 'lost' ? 0 : strike(sha256, atMs)
      save()
      if (busy.has(key) || (count < enough && gone === 'node')) return 'counted'
      const pin = pinned.get(key)
      // Shown all the same: what worked could not be brought, or a release came in between.
      if (pin?.broken.includes(sha256)) return 'pinned'
      const broken = [...(pin?.broken ?? []), sha256]
      busy.add(key)
      const asked = broken.length > pinLimits.brokenMax ? Promise.resolve(undefined) : find(key, broken)
      const good = await asked.catch(() => 'unreachable' as const)
      busy.delete(key)
      if (good === 'unreachable') return 'counted'
      if (!good) {
        // Older ones break as well: it is not the document, so the newest is as good as any.
        for (const one of broken) hopeless.add(one)
        const changed = pinned.delete(key)
        lasting.delete(key)
        save()
        return changed ? 'pinned' : 'hopeless'
      }
      pinned.set(key, { broken, good })
      if (count >= enough || lasting.has(key)) lasting.set(key, { broken, good })
      save()
      return 'pinned'
    },
    suspect: (sha256) => strikes.has(sha256),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

/** A text that cannot be read counts as an empty one. */
function read(text: string | null): Stored {
  const nothing: Stored = { strikes: [], pins: [] }
  try {
    const { strikes, pins } = (JSON.parse(text ?? 'null') ?? nothing) as Stored
    const whole =
      strikes.every(([sha256, count]) => isText(sha256) && Number.isInteger(count)) &&
      pins.every(
        ([key, { broken, good }]) => isText(key) && areTexts(broken) && isText(good.sha256) && areTexts(good.uses) && areTexts(good.areas),
      )
    return whole ? { strikes, pins } : nothing
  } catch {
    return nothing
  }
}
