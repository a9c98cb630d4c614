import type { Computed } from '#language/documents/documents.ts'

/** Key of a document in a release: `screen/market`, `routes/routes`, `quick-entries/home`. */
export type DocumentKey = `${string}/${string}`

/** Areas of the texts that engine and widgets use themselves, on any screen. */
export const engineAreas: readonly string[] = ['engine', 'widget', 'problem']

/** The facts about a document that a client needs before it loads the document. */
export type DocumentEntry = Pick<Computed, 'sha256' | 'uses' | 'areas'>

/**
 * Answer of GET /config/manifest?caps=…&segment=…&locale=…, with ETag `"<release>-<hash>"`.
 * `texts` are the text areas of the requested language. `inline` contains the documents and texts of the first screens, by sha256;
 * all others are fetched from /config/documents/<sha256>.json, which never change.
 */
export interface Manifest {
  release: number
  hash: string
  locale: string
  /** The server does not know the client's build and answered with what every build can show. The client should send POST /config/caps. */
  unknownBuild?: true
  documents: Record<DocumentKey, DocumentEntry>
  texts: Record<string, string>
  inline: Record<string, unknown>
}

/** Message of GET /config/events (event name `release`). */
export interface ReleaseEvent {
  release: number
  hash: string
}

/**
 * One report of a client, part of POST /config/reports. Reports contain nothing that a customer has typed or owns.
 * - `broken` a node threw an error · `pinned` a document was put back to an earlier revision · `refused` a release could not be applied
 * - `closed` a guard is closed because its inputs are missing · `failed` a call of an action failed; `code` is its problem
 * - `latency` a screen was drawn after `ms`
 */
export interface ClientReport {
  kind: (typeof reportKinds)[number]
  /** `screen/market.market`; `release` for the whole set. */
  document: string
  /** First 12 characters of the revision's sha256, or ''. */
  revision: string
  /** Id of a node, name of a call, or ''. */
  node: string
  /** Name of a problem or of a widget, or ''. */
  code: string
  count: number
  /** Only for `latency`: the sum over `count`. */
  ms?: number
}
export const reportKinds = ['broken', 'pinned', 'refused', 'closed', 'failed', 'latency'] as const

/** Body of POST /config/reports. */
export interface ReportBatch {
  release: number
  hash: string
  caps: string
  /** Values of the header `Report-Ticket` of recent manifests. A report without a ticket does not influence the guard. */
  tickets?: string[]
  items: ClientReport[]
}
