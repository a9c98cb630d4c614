import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { type BackOffice, type BackOfficeDeps, createBackOffice } from '#api-server/back-office/back-office.ts'
import { tellBackOffices } from '#api-server/back-office/stream.ts'
import type { OfficeCall, OfficePorts } from '#api-server/kit/decision.ts'
import type { OpenProposals } from '#api-server/kit/proposals.ts'
import type { AnswerOf, OpenQueue } from '#api-server/kit/queue.ts'
import type { OpenTerms } from '#api-server/kit/terms.ts'
import type { Offers, OtcOfferWhole } from '#api-server/otc/offers.ts'
import type { TradingReview } from '#api-server/trading/review.ts'
import type { Database } from '#server-kit/db/db.ts'
import { formBody } from '#server-kit/http/form-body.ts'
import { createHttpServer } from '#server-kit/http/listen.ts'
import { lastHandlers } from '#server-kit/http/refusals.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { loadTexts } from '#server-kit/ops/texts.ts'
import { officeOn } from '#tests/support/databases/office-stage.ts'
import { earningAnswers } from '#tests/support/servers/allocation-answer.ts'
import { type ConsoleStage, startConsole } from '#tests/support/servers/console-stage.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

export interface BackOfficeAnswer extends Omit<Answer, 'json'> {
  json: { code?: number; name?: string; data?: unknown; field?: string }
}
export interface AskBackOffice {
  cookie?: string | undefined
  fields?: Record<string, string> | undefined
  headers?: Record<string, string>
}

/** Makes a request as the page of the back office does; `headers` override its headers. */
export async function askBackOffice(
  origin: string,
  method: string,
  path: string,
  { cookie, fields, headers }: AskBackOffice = {},
): Promise<BackOfficeAnswer> {
  const text = new URLSearchParams(fields).toString()
  const inBody = method !== 'GET'
  const answer = await ask(origin, inBody || !text ? path : `${path}?${text}`, {
    method,
    headers: {
      'x-console': '1',
      origin,
      'sec-fetch-site': 'same-origin',
      ...(inBody && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(text)) }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(inBody && { body: text }),
  })
  const isJson = answer.text !== '' && String(answer.headers['content-type']).startsWith('application/json')
  return { ...answer, json: (isJson ? JSON.parse(answer.text) : {}) as BackOfficeAnswer['json'] }
}

export interface BackOfficeStage {
  readonly origin: string
  readonly office: BackOffice
  readonly console: ConsoleStage
  readonly database: Database
  /** Calls of the fake modules: name and arguments. */
  readonly asked: { name: string; args: unknown[] }[]
  ask(method: string, path: string, options?: AskBackOffice): Promise<BackOfficeAnswer>
  audit(): Promise<string[]>
  close(): Promise<void>
}

/** The customer of all rows of the fake modules. */
export const customer = 100_001
const moment = 1_700_000_000_000
const times = { created: moment, changed: moment }
/** A deposit or withdrawal under review. */
const person = { uid: customer, nickname: 'ann', contact: 'a***@b.com', level: 0, demo: false }
const request = {
  id: 1,
  ...person,
  frozen: false,
  four_eyes: false,
  may_decide: true,
  address: 'T-whole',
  currency_code: 'USDT',
  channel: 'address',
  chain: 'TRC20',
  amount: '100',
  fee: '1',
  received: '99',
  usd: '100',
  images: 1,
  status: 'reviewing',
  reason: '',
  reference: '',
  decided_by: '',
  approved_by: '',
  ...times,
  to: [{ field: 'address', value: 'T-whole' }],
  pictures: [{ id: '1', src: '/a' }],
  history: [],
  last_day_btc: '0',
  limit_btc: '200',
  seen_before: false,
  same_picture: [],
} satisfies AnswerOf<'office.recharge'> & AnswerOf<'office.withdrawal'>
const application: AnswerOf<'office.trader'> = {
  id: 1,
  uid: customer,
  nickname: 'ann',
  contact: 'a***@b.com',
  level: 0,
  demo: false,
  trader_name: 'Ann trades',
  ...times,
  introduction: 'I trade gold',
  status: 'reviewing',
  reason: '',
  decided_by: '',
  earlier: 0,
  closed: 3,
  winning: 2,
  profit: '12.5',
  followers: 2,
}
const proof: AnswerOf<'office.verification'> = {
  id: 1,
  uid: customer,
  nickname: 'ann',
  contact: 'a***@b.com',
  level: 0,
  demo: false,
  asked: 1,
  id_type: 'passport',
  ...times,
  status: 'reviewing',
  reason: '',
  decided_by: '',
  name: 'Ann Smith',
  number: 'X1234567',
  pictures: [{ id: '1', src: '/b' }],
  earlier: 0,
  seen_before: false,
  same_document: [],
}

const noNotices: OfficePorts['notices'] = { notify: async () => {}, notifyAll: async () => {} }
/** Nothing here asks the accounts. */
const noProofs: OfficePorts['proofs'] = {
  standing: () => Promise.reject(new Error('no accounts here')),
  lock: () => Promise.reject(new Error('no accounts here')),
}
const deal = { side: 'buy', currency_code: 'BTC', quote_code: 'USDT', price: '50000' } as const
const offer: OtcOfferWhole = {
  id: 1,
  ...deal,
  amount_min: '0.1',
  amount_max: '1',
  whole: '10',
  left: '10',
  from: null,
  until: null,
  first_day: null,
  last_day: null,
  ...times,
  status: 'proposed',
  replaces: null,
  proposed_by: 'ann',
  decided_by: '',
  closed_by: '',
  proposal: null,
  waiting: 0,
  settled: 0,
}
const order: AnswerOf<'office.otcOrder'> = {
  id: 1,
  ...person,
  frozen: false,
  offer_id: 1,
  ...deal,
  amount: '1',
  total: '50000',
  usd: '50000',
  status: 'reviewing',
  reason: '',
  ...times,
  decided_by: '',
}
const message: AnswerOf<'office.messages'>['list'][number] = {
  id: 1,
  channel: 'mail',
  to: 'a***@b.com',
  kind: 'code:register',
  status: 'waiting',
  readable: true,
  created: moment,
}
const instrument = {
  key: 'spot BTCUSDT',
  product: 'spot',
  symbol: 'BTCUSDT',
  group: 'currency',
  version: 1,
  changed_by: '',
  changed: moment,
  base: 'BTC',
  quote: 'USDT',
  trading: 'open',
  halted: false,
  halt_reason: '',
  halted_by: '',
  halted_at: null,
  proposed: false,
  terms: [],
  proposal: null,
  versions: [],
} satisfies Awaited<ReturnType<TradingReview['one']>>

const hours = {
  group: 'stock',
  always: true,
  zone: '',
  sessions: '',
  holidays: '',
  days: '',
  version: 0,
  changed_by: '',
  changed: null,
  proposed: false,
  next: [],
  proposal: null,
  versions: [],
} satisfies Awaited<ReturnType<TradingReview['calendar']>>

/** The back office over ports that only record their calls, and the operators of a real console. `answers` come over the stand-ins'. */
export async function startBackOffice(
  database: Database,
  answers: { counts?: () => Record<string, number> } & Partial<Pick<BackOfficeDeps, 'heartbeatMs'>> = {},
): Promise<BackOfficeStage> {
  const asked: BackOfficeStage['asked'] = []
  const console = await startConsole(database)
  const log = createLog('silent')
  const { clock } = console
  const noting = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const method = target[name as keyof T]
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          asked.push({ name: String(name), args })
          return (method as (...given: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  /** A queue that answers each of its calls with the same row. */
  const queueOf = (row: object, list: OfficeCall, ...calls: OfficeCall[]): Pick<OpenQueue, 'handlers' | 'counts'> => ({
    handlers: noting({
      [list]: async () => ({ list: [row], total: 1 }),
      ...Object.fromEntries(calls.map((call) => [call, async () => row])),
    }),
    counts: async () => answers.counts?.() ?? { recharges: 1, withdrawals: 1, verifications: 1, traders: 1, otc: 1, to_send: 0 },
  })
  const queues = [
    queueOf(request, 'office.recharges', 'office.recharge', 'office.rechargeApprove', 'office.rechargeReject'),
    queueOf(
      request,
      'office.withdrawals',
      ...(['office.withdrawal', 'office.withdrawApprove', 'office.withdrawReject', 'office.withdrawSent', 'office.withdrawDone'] as const),
    ),
    queueOf(proof, 'office.verifications', 'office.verification', 'office.verifyApprove', 'office.verifyReject'),
    queueOf(application, 'office.traders', 'office.trader', 'office.traderApprove', 'office.traderReject', 'office.traderEnd'),
    queueOf(order, 'office.otcOrders', 'office.otcOrder', 'office.otcApprove', 'office.otcReject'),
  ]
  const done = { id: 1, kind: 'stage', subject: '1', state: 'agreed' } as const
  /** A kind of proposals that agrees to everything. */
  const kind: OpenProposals<never> = {
    kind: 'stage',
    shown: async () => undefined,
    find: async () => undefined,
    open: async () => new Map<string, never>(),
    propose: async () => done,
    agree: async () => done,
    drop: async () => done,
    overtake: async () => {},
    announce: async () => {},
  }
  const about = { key: '1', version: 1, changed_by: '', changed: moment, state: 'in_force' } as const
  const terms: OpenTerms = {
    product: 'stage',
    proposals: noting(kind),
    hasNew: true,
    one: async () => ({ ...about, product: 'stage', steps: [], state_by: '', facts: [], terms: [], proposal: null, versions: [] }),
    list: async () => [{ ...about, about: '', choice: '', chosen: '', proposed: false }],
    waiting: async () => 0,
    preview: async () => [],
    propose: async () => done,
    decideSale: async () => ({}),
  }
  const trading: TradingReview = {
    terms: [],
    hours: { ...kind, kind: 'hours' },
    list: async () => [],
    one: async () => instrument,
    halt: async () => {},
    resume: async () => '',
    changed: async () => {},
    calendars: async () => ({ list: [] }),
    calendar: async () => hours,
    proposeCalendar: async () => done,
    previewCalendar: async () => ({ always: true, list: [], wrong: '', why: '' }),
  }
  const offers: Offers = {
    proposals: { ...kind, kind: 'offer' },
    currencies: async () => [],
    offers: async () => ({ list: [offer], total: 1 }),
    offer: async () => offer,
    propose: async () => done,
    agree: async () => done,
    drop: async () => done,
    close: async () => done,
  }
  const bus = createLocalBus(log)
  const office = createBackOffice({
    office: officeOn({ database, clock, proofs: noProofs, notices: noNotices }, () => tellBackOffices(bus)),
    log,
    bus,
    gate: console.console.gate,
    heartbeatMs: answers.heartbeatMs,
    queues,
    terms: [noting(terms)],
    proposals: [],
    handlers: noting({
      'office.dualOwed': async () => ({ days: [], coins: [] }),
      ...earningAnswers,
      'office.messages': async () => ({ list: [message], total: 1 }),
      'office.messageOpen': async () => ({ ...message, address: 'ann@b.com', subject: '', text: '135790', code: '135790' }),
    }),
    trading: noting(trading),
    offers: noting(offers),
    exposure: noting({
      openOf: async () => 0,
      exposure: async () => [],
      liquidations: async () => ({ list: [], total: 0 }),
      liquidationsBefore: async () => [],
      insurance: async () => [],
    }),
    options: noting({ exposure: async () => [] }),
    books: noting({ balances: async () => new Map(), movements: async () => [], held: async () => [] }),
    accounts: noting({
      lock: async () => 'active' as const,
      freeze: async () => {},
      endSessions: async () => 2,
      tell: () => {},
      sessions: async () => [],
    }),
    readPicture: noting({
      read: async (name: string) => (name === 'a'.repeat(40) ? { uid: customer, type: 'image/png', bytes: Buffer.from('png') } : undefined),
    }).read,
  })
  const texts = loadTexts('locales', 'problem')
  const security = createSecurity({ trustProxy: [] })
  const app = express().disable('x-powered-by').disable('etag')
  app.use((req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    security.apply(req, res, security.data)
    next()
  })
  app.use(formBody())
  office.mount(app, {
    prefix: '/api',
    chooseLanguage: () => 'en',
    requireUser: () => Promise.reject(new Error('no customers here')),
    checkRaw: true,
  })
  app.use(...lastHandlers(texts, log))
  const server: Server = createHttpServer(app)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    office,
    console,
    database,
    asked,
    ask: (method, path, options) => askBackOffice(origin, method, path, options),
    audit: () => auditRows(database),
    async close() {
      office.stop()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await console.close()
      await bus.close()
    },
  }
}

/** Rows of the log, oldest first: `ann recharge.approve recharge:1 note`. */
export async function auditRows({ db }: Database): Promise<string[]> {
  const rows = await db.selectFrom('desk_audit').selectAll().orderBy('id').execute()
  return rows.map(({ operator, action, subject, detail }) => [operator, action, subject, detail].filter(Boolean).join(' '))
}
