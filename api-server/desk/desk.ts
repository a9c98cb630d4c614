import type { Express, RequestHandler } from 'express'
import { createPeople } from '#api-server/account/people.reads.ts'
import { createDeskAuditStore, type DeskAuditStore } from '#api-server/desk/audit.store.ts'
import { customerHandlers } from '#api-server/desk/customer.handlers.ts'
import type { AccountDoor, Books, ReadPicture } from '#api-server/desk/doors.ts'
import { fundHandlers } from '#api-server/desk/fund.handlers.ts'
import { requireOperator } from '#api-server/desk/gate.ts'
import { identityDeskHandlers } from '#api-server/desk/identity.handlers.ts'
import { logHandlers } from '#api-server/desk/log.handlers.ts'
import type { DeskParts } from '#api-server/desk/parts.ts'
import { createDeskPicture } from '#api-server/desk/picture.page.ts'
import { pictureAddress } from '#api-server/desk/picture.rules.ts'
import { settingHandlers } from '#api-server/desk/setting.handlers.ts'
import { createDeskSettingStore } from '#api-server/desk/setting.store.ts'
import { createDeskStream } from '#api-server/desk/stream.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { IdentityReviews } from '#api-server/identity/review.ts'
import type { Review } from '#api-server/wallet/review.ts'
import { deskCalls } from '#contract/calls/desk.calls.ts'
import type { Database } from '#server-kit/db/db.ts'
import { type MountOptions, mount } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

export interface DeskDeps {
  /** With desk.migration.ts applied. */
  database: Database
  clock: Clock
  log: Log
  bus: Bus
  once: Idempotency
  gate: OperatorGate
  review: Review
  identity: IdentityReviews
  books: Books
  accounts: AccountDoor
  readPicture: ReadPicture
  /** After a decision about money or identity of this customer. */
  changed(uid: number): void
  heartbeatMs?: number | undefined
}

export interface Desk {
  /** Answers every row of deskCalls below /console/desk/api, the events and the pictures. */
  mount(app: Express, options: MountOptions): void
  readonly audit: Pick<DeskAuditStore, 'verify'>
  /** Whoever adds to a queue says so. */
  queueChanged(): void
  watching(): number
  stop(): void
}

const prefix = '/console/desk/api'

/** The operators' desk: what waits for a person, and customers. */
export function createDesk({ gate, readPicture, heartbeatMs, ...deps }: DeskDeps): Desk {
  const { database, bus, log, review, identity } = deps
  const audit = createDeskAuditStore(database)
  const counts = async () => ({ ...(await review.counts()), verifications: await identity.waiting() })
  const stream = createDeskStream({ gate, bus, log, counts, rules: () => audit.lastOf('settings'), heartbeatMs })
  const parts: DeskParts = {
    ...deps,
    audit,
    settings: createDeskSettingStore(database),
    people: createPeople(database),
    counts,
    queueChanged: stream.changed,
  }
  const handlers = {
    ...{ ...fundHandlers(parts), ...identityDeskHandlers(parts), ...customerHandlers(parts) },
    ...{ ...settingHandlers(parts), ...logHandlers(parts) },
  }
  const picture: RequestHandler = createDeskPicture(parts, gate, readPicture)
  return {
    mount(app, options) {
      mount(app, deskCalls, handlers, { ...options, prefix, requireOperator: requireOperator(gate) })
      app.get('/console/desk/events', stream.page)
      app.get(`${pictureAddress}:name`, picture)
    },
    audit,
    queueChanged: stream.changed,
    watching: stream.clients,
    stop: stream.stop,
  }
}
