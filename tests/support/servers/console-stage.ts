import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { type Console, type ConsoleOptions, createConsole } from '#config-server/console/console.ts'
import { operatorMigrations } from '#config-server/operators/operators.migration.ts'
import type { AuditEntry, Publishing } from '#config-server/publishing/publishing.ts'
import type { ConsoleEvent, Role } from '#language/publish/publishing.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { createSettableClock, type SettableClock } from '#server-kit/ops/clock.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { type Answer, ask } from '#tests/support/servers/http.ts'

export const consoleMigrations = operatorMigrations

/** An operator in whose name calls can be made. */
export interface TestOperator {
  id: number
  name: string
  token: string
  cookie: string
  password: string
  totpSecret: string
}
export interface ConsoleAnswer extends Omit<Answer, 'json'> {
  json: { data?: unknown; code?: string; message?: string }
}
export const said = ({ status, json }: ConsoleAnswer): string => `${status} ${json.code ?? 'ok'}`
export const cookieIn = ({ headers }: ConsoleAnswer): string => String(headers['set-cookie']).split(';')[0]!
export function dataIn<T>(answer: ConsoleAnswer): T {
  expect(said(answer)).toBe('200 ok')
  return answer.json.data as T
}
export interface ConsoleStage {
  readonly origin: string
  readonly console: Console
  readonly clock: SettableClock
  /** All log lines. */
  readonly logged: string[]
  /** Calls of publishing that change or log something: name and arguments after the actor. */
  readonly did: { name: string; actor: string; args: unknown[] }[]
  /** Rows of the log: action and subject. */
  rows(): string[]
  /** Sends an event of publishing to the console. */
  change(event: ConsoleEvent): void
  /** Sets the answer of a method of publishing; null by default. */
  answer(method: keyof Publishing, give: (...args: unknown[]) => unknown): void
  operator(name: string, roles: readonly Role[]): Promise<TestOperator>
  /** Makes a request as the console's page does; `headers` override its headers. */
  ask(
    method: string,
    path: string,
    options?: { body?: unknown; cookie?: string | undefined; headers?: Record<string, string> },
  ): Promise<ConsoleAnswer>
  /** The authenticator code of the clock's time. */
  code(secret: string): string
  close(): Promise<void>
}

const reads = new Set([
  'live',
  'drafts',
  'draft',
  'files',
  'releases',
  'release',
  'diff',
  'prepared',
  'served',
  'impact',
  'audit',
  'auditRow',
  'auditChange',
  'check',
  'flows',
])

/** The console with a fake publishing that records its calls. */
export async function startConsole(database: Database, options: Partial<ConsoleOptions> = {}): Promise<ConsoleStage> {
  const did: ConsoleStage['did'] = []
  const answers = new Map<string, (...args: unknown[]) => unknown>()
  const listeners = new Set<(event: ConsoleEvent) => void>()
  const publishing = new Proxy({} as Publishing, {
    get: (_target, name) => {
      if (name === 'onChange')
        return (listener: (event: ConsoleEvent) => void) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        }
      return async (...args: unknown[]) => {
        const method = String(name)
        if (!reads.has(method)) did.push({ name: method, actor: (args[0] as { name: string }).name, args: args.slice(1) })
        return answers.get(method)?.(...args) ?? null
      }
    },
  })
  const logged: string[] = []
  // The clock stands still unless a test moves it, so that a slow machine cannot shorten waiting times.
  const start = Date.now()
  const clock = createSettableClock({ now: () => start })
  const console = await createConsole({
    database,
    publishing,
    clock,
    testHooks: true,
    secrets: createSecrets('a key of the test, long enough'),
    trustProxy: ['loopback'],
    catalog: { widgets: {}, calls: {} } as unknown as ConsoleOptions['catalog'],
    log: createLog('debug', { write: (line) => void logged.push(line) }),
    security: createSecurity({ trustProxy: ['loopback'] }),
    ...options,
  })
  const server: Server = createServer(console.handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const stage: ConsoleStage = {
    origin,
    console,
    clock,
    logged,
    did,
    rows: () =>
      did.flatMap(({ name, actor, args }) => {
        const entry = args[0] as AuditEntry
        return name === 'note' ? [`${actor} ${entry.action} ${entry.subject}`] : []
      }),
    change: (event) => listeners.forEach((listener) => void listener(event)),
    answer: (method, give) => void answers.set(method, give),
    async operator(name, roles) {
      const answer = await stage.ask('POST', '/test/operator', { body: { name, roles } })
      return answer.json as unknown as TestOperator
    },
    async ask(method, path, { body, cookie, headers } = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const answer = await ask(origin, path.startsWith('/test/') ? path : `/console/api${path}`, {
        method,
        headers: {
          'x-console': '1',
          origin,
          'sec-fetch-site': 'same-origin',
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
          ...(cookie !== undefined && { cookie }),
          ...headers,
        },
        ...(text !== undefined && { body: text }),
      })
      const isJson = answer.text !== '' && String(answer.headers['content-type']).startsWith('application/json')
      return { ...answer, json: (isJson ? JSON.parse(answer.text) : {}) as ConsoleAnswer['json'] }
    },
    code: (secret) => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) }),
    async close() {
      console.close()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
  return stage
}

/** All rows of the operators' tables, to check that nothing changed. */
export async function operatorRows({ db }: Database): Promise<string> {
  const tables = ['config_operator', 'config_operator_link'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows)
}
