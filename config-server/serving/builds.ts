import { type Caps, type Catalog, commonCatalog, type KnownBuild } from '#config-server/serving/caps.rules.ts'

/** Where known builds outlive the process. */
export interface BuildStore {
  /** In any order; what cannot be read is left out. */
  load(): Promise<KnownBuild[]>
  /** Writes these; others stay as they are. */
  keep(builds: readonly KnownBuild[]): Promise<void>
}

/** A known build and how many of the clients that asked lately are of it. */
export interface BuildUse extends KnownBuild {
  /** 0 to 1; 0 where nobody asked. */
  share: number
}

/** The known builds: those that were served from here, and those that described themselves. */
export interface Builds {
  open(): Promise<void>
  all(): readonly Caps[]
  find(hash: string): Caps | undefined
  /** Returns the names that every build served from here can show. */
  common(): Catalog | undefined
  /** @returns false when it was known before */
  add(caps: Caps): Promise<boolean>
  /** A client asked for the manifest. An absent or unknown hash counts as somebody else's. */
  asked(hash: string | undefined): void
  uses(): BuildUse[]
}

const ownMax = 30
const registeredMax = 100
/** Shares are of the last one to two of these. */
const windowMs = 900_000
/** How old the kept time of the last question may get. */
const seenEveryMs = 600_000

interface Entry extends KnownBuild {
  keptAt: number
  now: number
  before: number
}

export function createBuilds(options: { own: Caps; store?: BuildStore | undefined; now: () => number }): Builds {
  const { own, store, now } = options
  const entries = new Map<string, Entry>()
  const others = { now: 0, before: 0 }
  let windowFrom = now()

  const put = ({ caps, own: isOwn, seenAt }: KnownBuild) =>
    entries.set(caps.hash, { caps, own: isOwn, seenAt, keptAt: seenAt, now: 0, before: 0 })
  /** Those that nobody asked for the longest give way. */
  function trim(isOwn: boolean, max: number): void {
    const some = [...entries.values()].filter((one) => one.own === isOwn && one.caps.hash !== own.hash)
    for (const one of some.sort((a, b) => b.seenAt - a.seenAt).slice(max)) entries.delete(one.caps.hash)
  }
  function turn(): void {
    const atMs = now()
    if (atMs - windowFrom < windowMs) return
    const long = atMs - windowFrom >= 2 * windowMs
    for (const one of [others, ...entries.values()]) {
      one.before = long ? 0 : one.now
      one.now = 0
    }
    windowFrom = atMs
  }
  put({ caps: own, own: true, seenAt: now() })

  return {
    async open() {
      if (!store) return
      const known = await store.load()
      for (const build of known) if (build.caps.hash !== own.hash) put(build)
      trim(true, ownMax - 1)
      trim(false, registeredMax)
      if (!known.some((build) => build.own && build.caps.hash === own.hash)) await store.keep([{ caps: own, own: true, seenAt: now() }])
    },
    all: () => [...entries.values()].map(({ caps }) => caps),
    find: (hash) => entries.get(hash)?.caps,
    common: () => commonCatalog([...entries.values()].filter((one) => one.own).map(({ caps }) => caps)),
    async add(caps) {
      if (entries.has(caps.hash)) return false
      const build = { caps, own: false, seenAt: now() }
      put(build)
      trim(false, registeredMax)
      await store?.keep([build])
      return true
    },
    asked(hash) {
      turn()
      const entry = hash === undefined ? undefined : entries.get(hash)
      if (!entry) {
        others.now += 1
        return
      }
      entry.now += 1
      entry.seenAt = now()
      if (!store || entry.seenAt - entry.keptAt < seenEveryMs) return
      entry.keptAt = entry.seenAt
      void store.keep([{ caps: entry.caps, own: entry.own, seenAt: entry.seenAt }]).catch(() => undefined)
    },
    uses() {
      turn()
      const asked = ({ now: lately, before }: { now: number; before: number }) => lately + before
      const all = [others, ...entries.values()].reduce((sum, one) => sum + asked(one), 0)
      return [...entries.values()].map(({ caps, own: isOwn, seenAt, ...one }) => ({
        caps,
        own: isOwn,
        seenAt,
        share: all === 0 ? 0 : asked(one) / all,
      }))
    },
  }
}
