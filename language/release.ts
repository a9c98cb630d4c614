import type { Computed } from '#language/documents.ts'

/** Key of a document in a release: `screen/market`, `routes/routes`, `quick-entries/home`. */
export type DocumentKey = `${string}/${string}`

/** What a client needs to know of one document before it has it. */
export type DocumentEntry = Pick<Computed, 'sha256' | 'uses' | 'areas'>

/**
 * Answer of GET /config/manifest?caps=…&segment=…&locale=…. Its ETag is `"<release>-<hash>"`.
 * `texts` are the text areas of the asked locale. `inline` carries the documents and texts that the first screens need, by sha256;
 * every other is fetched from /config/documents/<sha256>.json, which never changes.
 */
export interface Manifest {
  release: number
  hash: string
  locale: string
  documents: Record<DocumentKey, DocumentEntry>
  texts: Record<string, string>
  inline: Record<string, unknown>
}

/** One message of GET /config/events (event name `release`). */
export interface ReleaseEvent {
  release: number
  hash: string
}
