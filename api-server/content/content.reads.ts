import { type Content, textIn } from '#api-server/content/content.rules.ts'
import type { ContentStore } from '#api-server/content/content.store.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/** Lifetime of the cached content. Content changes a few times a day and is read with every screen; another node may change it. */
const keptMs = 60_000

export interface ContentReads {
  /** Cached content; the old content while newer content is being read or cannot be read. */
  content(): Promise<Content>
  /** Long name of an instrument, from the cache; undefined without one. */
  symbolTitle(symbol: string, lang: string): string | undefined
  /** Drops the cache. Call it after a write. */
  forget(): void
}

export function createContentReads(store: ContentStore, clock: Clock): ContentReads {
  let kept: { content: Content; at: number } | undefined
  let reading: Promise<Content> | undefined
  const read = () => {
    if (reading) return reading
    const mine: Promise<Content> = store
      .load()
      .then((content) => {
        if (reading === mine) kept = { content, at: clock.now() }
        return content
      })
      .finally(() => {
        if (reading === mine) reading = undefined
      })
    reading = mine
    return mine
  }
  return {
    async content() {
      if (!kept) return read()
      if (Math.abs(clock.now() - kept.at) > keptMs) read().catch(() => undefined)
      return kept.content
    },
    symbolTitle(symbol, lang) {
      const texts = kept?.content.symbols.get(symbol)
      return texts && textIn(texts, lang, 'title')
    },
    forget() {
      kept = undefined
      // A read in progress may be older than the write.
      reading = undefined
    },
  }
}
