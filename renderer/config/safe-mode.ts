import type { Emitter } from 'mitt'
import type { Manifest } from '#language/publish/release.ts'
import type { Config, ConfigOptions } from '#renderer/config/config.ts'
import type { PinnedDocuments } from '#renderer/config/pinned-documents.ts'
import type { Heard } from '#renderer/config/recovery.ts'
import { isUsable } from '#renderer/config/release-check.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { Registry } from '#renderer/core/registry.ts'
import { storagePrefix } from '#renderer/device/storage-prefix.ts'
import type { EngineEvents } from '#renderer/engine/types.ts'

interface SafeModeOptions {
  storage: Storage | undefined
  registry: Registry<unknown>
  bus: Emitter<EngineEvents>
  caps: string
  /** False while developing: then nothing older stands in for a document that breaks, and nothing is kept or reported. */
  built: boolean
}

/**
 * Keeps the app running when documents break. Only what a normal start needs is here; the rest comes with recovery.ts, after the first
 * paint or as soon as something breaks.
 */
export interface SafeMode extends Required<Pick<ConfigOptions, 'rescue' | 'accepts' | 'amend'>> {
  /** Begins to watch, keep and report. @param quiet resolves when nothing more urgent is to do */
  begin(config: Config, quiet: Promise<unknown>): void
  /** The app broke as a whole. @returns whether another start may find something better */
  refuse(config: Config): boolean
}

const recovery = lazy(() => import('#renderer/config/recovery.ts'))
const refusedKey = `${storagePrefix}refused`
const heardMax = 100
/** Events that leave a gap on the customer's screen. */
const urgent = new Set<Heard['type']>(['node-broken', 'document-lost'])

export async function createSafeMode({ storage, registry, bus, caps, built }: SafeModeOptions): Promise<SafeMode> {
  if (!built)
    return {
      amend: (manifest) => manifest,
      accepts: (manifest) => isUsable(manifest, registry),
      rescue: async () => undefined,
      begin: () => undefined,
      refuse: () => false,
    }
  const stored = (key: string): string | null => {
    try {
      return storage?.getItem(key) ?? null
    } catch {
      return null
    }
  }
  let pinned: PinnedDocuments | undefined
  // Most devices have none, and wait for nothing.
  if (stored(`${storagePrefix}pins`) !== null)
    pinned = await recovery.load().then(
      (they) => they.openPinned(storage, caps),
      () => undefined,
    )
  const heard: Heard[] = []
  let next: ((one: Heard) => void) | undefined
  let begun: Config | undefined

  const watching = lazy(async () => {
    const they = await recovery.load()
    pinned ??= they.openPinned(storage, caps)
    next = they.watchOver({ config: begun as Config, bus, pinned, caps })
    for (const one of heard.splice(0)) next(one)
    return they
  })
  const hear = (type: Heard['type'], event: unknown) => {
    const one: Heard = { type, event, atMs: performance.now() }
    if (next) return next(one)
    if (heard.length < heardMax) heard.push(one)
    if (urgent.has(type) && begun) void watching.load().catch(() => undefined)
  }
  bus.on('*', hear)

  return {
    amend: (manifest) => pinned?.apply(manifest) ?? manifest,
    accepts(manifest: Manifest) {
      const fine = manifest.hash !== stored(refusedKey) && isUsable(manifest, registry)
      if (!fine) hear('release-unfit', { release: manifest.release })
      return fine
    },
    rescue: (locale, fits) => recovery.load().then((they) => they.rescue(locale, fits)),
    begin(config, quiet) {
      begun = config
      const broken = heard.some(({ type }) => urgent.has(type))
      void (broken ? Promise.resolve() : quiet)
        .then(watching.load)
        .then((they) => quiet.then(() => they.keepCached(config, pinned)))
        .catch(() => undefined)
    },
    refuse(config) {
      const hash = config.current()?.hash
      if (hash === undefined || stored(refusedKey) === hash) return false
      try {
        storage?.setItem(refusedKey, hash)
      } catch {
        return false
      }
      return stored(refusedKey) === hash
    },
  }
}
