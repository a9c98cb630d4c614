import type { RequestHandler } from 'express'
import type { Metrics } from '#config-server/guard/metrics.ts'
import type { Tickets } from '#config-server/guard/tickets.ts'
import type { Refuse } from '#config-server/refuse.ts'
import { readCatalog } from '#config-server/serving/caps.rules.ts'
import { type ReportBook, readBatch } from '#config-server/serving/reports.rules.ts'
import type { RevisionStore } from '#config-server/serving/revision.store.ts'
import { clientAddress, type Trusts } from '#server-kit/http/client-address.ts'
import { isLocalRequest } from '#server-kit/http/local-request.ts'

/** POST /config/caps {hash, format, widgets, props, operators, …}: a build says what it can show. The same again changes nothing. */
export function registerCaps(store: RevisionStore, refuse: Refuse): RequestHandler {
  return async (req, res) => {
    const caps = readCatalog(req.body)
    if (!caps) return refuse(res, 'parameter_error')
    await store.register(caps)
    res.status(204).end()
  }
}

const brokenMax = 8
const keyPattern = /^[a-z-]{1,40}\/[\w.-]{1,80}$/i
const shaPattern = /^[0-9a-f]{64}$/

/** GET /config/revisions?document=screen/x&broken=<sha256>,…&caps=: the newest revision before those, that the build can show. */
export function readBefore(store: RevisionStore, refuse: Refuse): RequestHandler {
  return (req, res) => {
    const { document, broken = '', caps } = req.query
    if (typeof document !== 'string' || !keyPattern.test(document) || typeof broken !== 'string') return refuse(res, 'parameter_error')
    const shas = broken.split(',').filter(Boolean)
    if (shas.length > brokenMax || !shas.every((sha) => shaPattern.test(sha))) return refuse(res, 'parameter_error')
    if (caps !== undefined && (typeof caps !== 'string' || caps.length > 64)) return refuse(res, 'parameter_error')
    const entry = store.before(document as `${string}/${string}`, shas, caps)
    if (!entry) return refuse(res, 'not_found')
    res.setHeader('Cache-Control', 'no-store')
    res.json(entry)
  }
}

/** POST /config/reports: what went wrong on a client. */
export function takeReports(
  book: ReportBook,
  metrics: Pick<Metrics, 'take'>,
  tickets: Pick<Tickets, 'witness'>,
  trusts: Trusts,
  refuse: Refuse,
): RequestHandler {
  return (req, res) => {
    const batch = readBatch(req.body)
    if (!batch) return refuse(res, 'parameter_error')
    book.add(batch)
    const address = clientAddress(req, trusts)
    metrics.take(batch, (release) => tickets.witness(batch.tickets ?? [], release, address))
    res.status(204).end()
  }
}

/** GET /config/reports: the counts of clients' reports. Only this machine may ask; a proxy on it speaks for others. */
export function readReports(book: ReportBook, refuse: Refuse): RequestHandler {
  return (req, res) => {
    if (!isLocalRequest(req)) return refuse(res, 'forbidden')
    res.setHeader('Cache-Control', 'no-store')
    res.json({ counts: book.counts(), rows: book.rows() })
  }
}
