import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createMetrics } from '#config-server/guard/metrics.ts'
import { createTickets, ownMac } from '#config-server/guard/tickets.ts'
import { createRefuse } from '#config-server/refuse.ts'
import { type DocumentRevision, makeRelease, type Release, sha256 } from '#config-server/release.rules.ts'
import { type Caps, capsOf } from '#config-server/serving/caps.rules.ts'
import { readBefore, registerCaps, takeReports } from '#config-server/serving/client.handlers.ts'
import { createEvents } from '#config-server/serving/events.ts'
import { answerAtOnce, handTickets } from '#config-server/serving/read.handlers.ts'
import { createReportBook } from '#config-server/serving/reports.rules.ts'
import { createRevisionStore } from '#config-server/serving/revision.store.ts'
import type { Shown } from '#config-server/shown.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'

/** Serves releases over HTTP, without publishing. */
export async function startServing(options: { clock?: { now: number }; own?: Caps } = {}) {
  const { clock, own = capsOf({ format: 1, widgets: ['text@1'] }) } = options
  const now = () => clock?.now ?? Date.now()
  const store = createRevisionStore({ security: [], own, now })
  await store.open()
  const refuse = createRefuse([])
  const [metrics, tickets] = [createMetrics({ knows: store.knows, now }), createTickets({ mac: ownMac(), now })]
  const { trusts } = createSecurity({ trustProxy: ['loopback'] })
  const events = createEvents({ security: [], refuse, trusts, now: () => store.current() })
  const handed = handTickets(tickets, metrics, trusts)
  const app = express().set('trust proxy', 'loopback').use(express.json())
  app.get('/config/events', (req, res) => events.open(req, res))
  app.get('/config/revisions', readBefore(store, refuse))
  app.post('/config/caps', registerCaps(store, refuse))
  app.post('/config/reports', takeReports(createReportBook(), metrics, tickets, trusts, refuse))
  const server = createServer((req, res) => void (answerAtOnce(store, handed, req, res) || app(req, res)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    store,
    metrics,
    /** Prepares all answers and then notifies clients, as publishing does. */
    async show(shown: Shown): Promise<void> {
      const event = await store.show(shown)
      if (event) events.tell(event)
    },
    async stop() {
      events.close()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
export type Serving = Awaited<ReturnType<typeof startServing>>

/** @param widgets that a build needs to show it */
export function revision(key: DocumentKey, doc: object = {}, widgets: string[] = ['text@1']): DocumentRevision {
  const [kind, id] = key.split('/')
  const text = canonical({ kind, id, ...doc } as never)
  return { key, canonical: text, sha256: sha256(text), uses: [], areas: [], requires: { widgets, operators: [], steps: [], format: 1 } }
}

/** A release in which each part contains its number. */
export function numbered(number: number, screens = 4): Release {
  const text = { canonical: `{"release":"${number}"}`, sha256: sha256(`{"release":"${number}"}`) }
  const documents = Array.from({ length: screens }, (_, i) => revision(`screen/s${i}`, { release: number }))
  return makeRelease(number, documents, new Map([['en', new Map([['app', text]])]]))
}

/** 64 pseudo-random bits of a device. */
export const deviceOf = (n: number) => sha256(`device ${n}`).slice(0, 16)
