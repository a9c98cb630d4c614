import type { Express, RequestHandler } from 'express'
import { createPeople } from '#api-server/account/people.reads.ts'
import { type BackOfficeAuditStore, createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { customerHandlers } from '#api-server/back-office/customer.handlers.ts'
import { fundHandlers } from '#api-server/back-office/fund.handlers.ts'
import { requireOperator } from '#api-server/back-office/gate.ts'
import { identityReviewHandlers } from '#api-server/back-office/identity.handlers.ts'
import { logHandlers } from '#api-server/back-office/log.handlers.ts'
import { otcBackOfficeHandlers } from '#api-server/back-office/otc.handlers.ts'
import { createReviewPicture } from '#api-server/back-office/picture.page.ts'
import { pictureAddress } from '#api-server/back-office/picture.rules.ts'
import type { AccountDoor, Books, ReadPicture } from '#api-server/back-office/ports.ts'
import { settingHandlers } from '#api-server/back-office/setting.handlers.ts'
import { createBackOfficeSettingStore } from '#api-server/back-office/setting.store.ts'
import { createBackOfficeStream } from '#api-server/back-office/stream.ts'
import { traderReviewHandlers } from '#api-server/back-office/trader.handlers.ts'
import { tradingHandlers } from '#api-server/back-office/trading.handlers.ts'
import type { TraderReviews } from '#api-server/follow/review.ts'
import type { Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { IdentityReviews } from '#api-server/identity/review.ts'
import type { LeverReads } from '#api-server/lever/lever.reads.ts'
import type { MicReads } from '#api-server/mic/mic.reads.ts'
import type { OtcReviews } from '#api-server/otc/review.ts'
import type { TradingReview } from '#api-server/trading/review.ts'
import type { Review } from '#api-server/wallet/review.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import { type MountOptions, mount } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

export interface BackOfficeDeps {
  /** With back-office.migration.ts applied. */
  database: Database
  clock: Clock
  log: Log
  bus: Bus
  once: Idempotency
  gate: OperatorGate
  review: Review
  identity: IdentityReviews
  trading: TradingReview
  traders: TraderReviews
  otc: OtcReviews
  exposure: LeverReads
  options: Pick<MicReads, 'exposure'>
  books: Books
  accounts: AccountDoor
  readPicture: ReadPicture
  /** After a decision about a customer: about money or identity, unless a topic is given. */
  changed(uid: number, topic?: TopicName): void
  heartbeatMs?: number | undefined
}

export interface BackOffice {
  /** Answers every row of backOfficeCalls below /console/back-office/api, the events and the pictures. */
  mount(app: Express, options: MountOptions): void
  readonly audit: Pick<BackOfficeAuditStore, 'verify'>
  /** Whoever adds to a queue says so. */
  queueChanged(): void
  watching(): number
  stop(): void
}

const prefix = '/console/back-office/api'

/** The back office: what waits for a person, and customers. */
export function createBackOffice({ gate, readPicture, heartbeatMs, ...deps }: BackOfficeDeps): BackOffice {
  const { database, bus, log, review, identity, traders, otc } = deps
  const audit = createBackOfficeAuditStore(database)
  const counts = async () => ({
    ...(await review.counts()),
    verifications: await identity.waiting(),
    traders: await traders.waiting(),
    otc: await otc.waiting(),
  })
  const stream = createBackOfficeStream({ gate, bus, log, counts, rules: audit.lastChange, heartbeatMs })
  const parts: BackOfficeContext = {
    ...deps,
    audit,
    settings: createBackOfficeSettingStore(database),
    people: createPeople(database),
    counts,
    queueChanged: stream.changed,
  }
  const handlers = {
    ...fundHandlers(parts),
    ...identityReviewHandlers(parts),
    ...customerHandlers(parts),
    ...settingHandlers(parts),
    ...logHandlers(parts),
    ...tradingHandlers(parts),
    ...traderReviewHandlers(parts),
    ...otcBackOfficeHandlers(parts),
  }
  const picture: RequestHandler = createReviewPicture(parts, gate, readPicture)
  return {
    mount(app, options) {
      mount(app, backOfficeCalls, handlers, { ...options, prefix, requireOperator: requireOperator(gate) })
      app.get('/console/back-office/events', stream.page)
      app.get(`${pictureAddress}:name`, picture)
    },
    audit,
    queueChanged: stream.changed,
    watching: stream.clients,
    stop: stream.stop,
  }
}
