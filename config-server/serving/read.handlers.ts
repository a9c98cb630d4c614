import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { RequestHandler } from 'express'
import type { Metrics } from '#config-server/guard/metrics.ts'
import { type Tickets, ticketHeader } from '#config-server/guard/tickets.ts'
import type { Refuse } from '#config-server/refuse.ts'
import { send } from '#config-server/serving/answers.ts'
import type { RevisionStore } from '#config-server/serving/revision.store.ts'
import { clientAddress, type Trusts } from '#server-kit/http/client-address.ts'
import { addressRange } from '#server-kit/http/limiter.ts'

const lengthsMax = { caps: 64, segment: 200, locale: 35 } as const

/** `*`, one tag, or a list of tags; a weak mark makes no difference when reading. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag) return true
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

const manifestPath = '/config/manifest'
type Query = Record<string, string | string[] | undefined>

const readable = (query: Query): boolean =>
  Object.entries(lengthsMax).every(([name, max]) => {
    const value = query[name]
    return value === undefined || (typeof value === 'string' && value.length <= max)
  })

/** Told which release a client is given. @returns headers that go out with the manifest, names and values in turn */
export type Handed = (release: number, req: IncomingMessage) => string[]

/** Makes a ticket for each manifest, and counts the networks that were given one. */
export function handTickets(tickets: Tickets, metrics: Pick<Metrics, 'served'>, trusts: Trusts): Handed {
  return (release, req) => {
    const address = clientAddress(req, trusts)
    const network = addressRange(address)
    metrics.served(release, network)
    return [ticketHeader, tickets.issue(release, address, network)]
  }
}

/** @returns false when there is no release yet */
function sendManifest(store: RevisionStore, handed: Handed, query: Query, req: IncomingMessage, res: ServerResponse): boolean {
  const { locale, caps, segment } = query as Record<string, string | undefined>
  const manifest = store.manifest(locale, caps, segment)
  if (!manifest) return false
  const more = handed(manifest.release, req)
  if (matches(req.headers['if-none-match'], manifest.etag)) res.writeHead(304, [...manifest.notModified, ...more]).end()
  else send(req, res, manifest.answers, more)
  return true
}

/** GET /config/manifest?caps=&segment=&locale= */
export function readManifest(store: RevisionStore, handed: Handed, refuse: Refuse): RequestHandler {
  return (req, res) => {
    const query = req.query as Query
    if (!readable(query)) return refuse(res, 'parameter_error')
    if (!sendManifest(store, handed, query, req, res)) refuse(res, 'busy', [['Retry-After', '1']])
  }
}

const filePattern = /^([0-9a-f]{64})\.json$/

/** GET /config/documents/<sha256>.json */
export function readDocument(store: RevisionStore, refuse: Refuse): RequestHandler<{ file: string }> {
  return (req, res) => {
    const sha = filePattern.exec(req.params.file)?.[1]
    const answers = sha === undefined ? undefined : store.document(sha)
    if (!answers) return refuse(res, 'not_found')
    send(req, res, answers)
  }
}

const documentUrl = /^\/config\/documents\/([0-9a-f]{64})\.json$/

/** Answers the most frequent requests, ahead of every router. @returns false when the router must answer */
export function answerAtOnce(store: RevisionStore, handed: Handed, req: IncomingMessage, res: ServerResponse): boolean {
  const url = req.url ?? ''
  if (req.method !== 'GET') return false
  if (url.startsWith(`${manifestPath}?`)) {
    const query = parse(url.slice(manifestPath.length + 1))
    return readable(query) && sendManifest(store, handed, query, req, res)
  }
  const sha = documentUrl.exec(url)?.[1]
  const answers = sha === undefined ? undefined : store.document(sha)
  if (!answers) return false
  send(req, res, answers)
  return true
}
