import type { Express, RequestHandler } from 'express'
import type { Administration } from '#api-server/account/administration.ts'
import { createPeople } from '#api-server/account/people.reads.ts'
import { type BackOfficeAuditStore, createBackOfficeAuditStore } from '#api-server/back-office/audit.store.ts'
import type { BackOfficeContext } from '#api-server/back-office/context.ts'
import { customerHandlers } from '#api-server/back-office/customer.handlers.ts'
import { requireOperator } from '#api-server/back-office/gate.ts'
import { jobHandlers } from '#api-server/back-office/job.handlers.ts'
import { logHandlers } from '#api-server/back-office/log.handlers.ts'
import { offerHandlers } from '#api-server/back-office/offer.handlers.ts'
import { createReviewPicture } from '#api-server/back-office/picture.page.ts'
import type { Books, ReadPicture } from '#api-server/back-office/ports.ts'
import { createRuleOfTwo, fourEyesUsd } from '#api-server/back-office/rule-of-two.ts'
import { settingHandlers } from '#api-server/back-office/setting.handlers.ts'
import { type Counts, createBackOfficeStream } from '#api-server/back-office/stream.ts'
import { tradingHandlers } from '#api-server/back-office/trading.handlers.ts'
import type { OfficeHandlers, OfficePorts } from '#api-server/kit/decision.ts'
import { pictureAddress } from '#api-server/kit/picture.rules.ts'
import { type OpenProposals, proposalHandlers } from '#api-server/kit/proposals.ts'
import type { OpenQueue } from '#api-server/kit/queue.ts'
import { type OpenTerms, termsHandlers } from '#api-server/kit/terms.ts'
import type { LeverReads } from '#api-server/lever/lever.reads.ts'
import type { MicReads } from '#api-server/mic/mic.reads.ts'
import type { Offers } from '#api-server/otc/offers.ts'
import type { TradingReview } from '#api-server/trading/review.ts'
import { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { type Handlers, type MountOptions, mount } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

export interface BackOfficeDeps {
  /** Its database has back-office.migration.ts applied. */
  office: OfficePorts
  log: Log
  bus: Bus
  gate: OperatorGate
  /** Terms of products, beside those of trading. */
  terms: readonly OpenTerms[]
  /** Proposals of modules, beside those of their terms. */
  proposals: readonly OpenProposals<never>[]
  /** Handlers of the modules, beside those of queues and terms. */
  handlers: OfficeHandlers
  /** Review queues of the modules. */
  queues: readonly Pick<OpenQueue, 'handlers' | 'counts'>[]
  trading: TradingReview
  offers: Offers
  exposure: LeverReads
  options: Pick<MicReads, 'exposure'>
  books: Books
  accounts: Administration
  readPicture: ReadPicture
  heartbeatMs?: number | undefined
}

export interface BackOffice {
  /** Answers every row of backOfficeCalls below /console/back-office/api, the events and the pictures. */
  mount(app: Express, options: MountOptions): void
  readonly audit: Pick<BackOfficeAuditStore, 'verify'>
  /** Called by every module that adds to a queue. */
  queueChanged(): void
  watching(): number
  stop(): void
}

const prefix = '/console/back-office/api'

/** Ports that modules decide through. */
export function officePorts(deps: Pick<OfficePorts, 'database' | 'clock' | 'once' | 'proofs' | 'notices' | 'queueChanged'>): OfficePorts {
  return {
    ...deps,
    log: createBackOfficeAuditStore(deps.database),
    people: createPeople(deps.database),
    fourEyesUsd: (tx) => fourEyesUsd(deps.database, tx),
  }
}

/** The back office: the review queues, and customers. */
export function createBackOffice({ gate, readPicture, heartbeatMs, queues, office, bus, log, ...deps }: BackOfficeDeps): BackOffice {
  const { database } = office
  const audit = createBackOfficeAuditStore(database)
  const counts = async () => Object.assign({}, ...(await Promise.all(queues.map((queue) => queue.counts())))) as Counts
  const stream = createBackOfficeStream({ gate, bus, log, counts, rules: audit.lastChange, heartbeatMs })
  const context: BackOfficeContext = {
    ...office,
    ...deps,
    audit,
    counts,
  }
  const rule = createRuleOfTwo(office)
  // The rule of two has calls of its own, since a stricter one counts at once.
  const terms = [...deps.trading.terms, ...deps.terms]
  const kinds = [
    ...[...terms, rule.terms].map((one) => one.proposals),
    deps.trading.hours,
    deps.offers.proposals,
    ...deps.proposals,
  ] as OpenProposals<never>[]
  const handlers = {
    ...customerHandlers(context),
    ...settingHandlers(context, rule),
    ...logHandlers(context),
    ...jobHandlers(context),
    ...tradingHandlers(context),
    ...offerHandlers(context),
    ...(Object.assign(
      { ...proposalHandlers(office, kinds), ...termsHandlers(office, terms), ...deps.handlers },
      ...queues.map((queue) => queue.handlers),
    ) as Handlers<typeof backOfficeCalls>),
  }
  const picture: RequestHandler = createReviewPicture(context, gate, readPicture)
  return {
    mount(app, options) {
      mount(app, backOfficeCalls, handlers, {
        ...options,
        prefix,
        requireOperator: requireOperator(gate),
        context: (_req, res) => ({ res }),
      })
      app.get('/console/back-office/events', stream.page)
      app.get(`${pictureAddress}:name`, picture)
    },
    audit,
    queueChanged: stream.changed,
    watching: stream.clients,
    stop: stream.stop,
  }
}
