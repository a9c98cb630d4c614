import type { Computed } from '#language/documents/documents.ts'

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
  /** The server has never heard of the build that asked, and gave it what every build can show. It wants to be told: POST /config/caps. */
  unknownBuild?: true
  documents: Record<DocumentKey, DocumentEntry>
  texts: Record<string, string>
  inline: Record<string, unknown>
}

/** One message of GET /config/events (event name `release`). */
export interface ReleaseEvent {
  release: number
  hash: string
}

/**
 * One thing that went wrong, or took its time, on a client; part of a POST /config/reports. No field can hold what a customer typed or owns.
 * - `broken` a node threw · `pinned` a document was put back to an earlier revision · `refused` a release could not be taken over
 * - `closed` a guard is closed because its inputs are missing · `failed` a call of an action failed; `code` is its problem
 * - `latency` a screen was drawn after `ms`
 */
export interface ClientReport {
  kind: (typeof reportKinds)[number]
  /** `screen/market.market`; `release` where it is about the whole set. */
  document: string
  /** First 12 letters of the revision's sha256, or empty. */
  revision: string
  /** Id of a node, name of a call, or empty. */
  node: string
  /** Name of a problem or of a widget, or empty. */
  code: string
  count: number
  /** Only with `latency`: the sum over `count`. */
  ms?: number
}
export const reportKinds = ['broken', 'pinned', 'refused', 'closed', 'failed', 'latency'] as const

/** Body of POST /config/reports. */
export interface ReportBatch {
  release: number
  hash: string
  caps: string
  /** Of the header `Report-Ticket`, as it came with the manifests of the last releases; a report without one moves nothing. */
  tickets?: string[]
  items: ClientReport[]
}
