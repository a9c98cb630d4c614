import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRow } from '#contract/call.ts'
import { consoleCalls } from '#contract/console/console.calls.ts'
import { type Role, roles } from '#language/publish/publishing.ts'
import type { Database } from '#server-kit/db/db.ts'
import { randomToken } from '#server-kit/security/secrets.ts'
import { openStandIn } from '#tests/support/databases/engines.ts'
import {
  type ConsoleAnswer,
  type ConsoleStage,
  consoleMigrations,
  operatorRows,
  startConsole,
  type TestOperator,
} from '#tests/support/servers/console-stage.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tessera-console-'))
let database: Database
let stage: ConsoleStage
let all: TestOperator
let ended: TestOperator
let idle: TestOperator
let frozen: TestOperator
let dated: TestOperator
/** Has every role but those. */
const without = new Map<string, TestOperator>()
const customerToken = randomToken()

const list = Object.values<CallRow>(consoleCalls)
const nameOf = ({ method, path }: Pick<CallRow, 'method' | 'path'>) => `${method} ${path}`
const addressOf = ({ path }: CallRow) =>
  path.replace(':id', path.startsWith('/operators') ? String(frozen.id) : '1').replace(':session', 'x')
const changes = ({ method }: CallRow) => method !== 'GET'
const closed = ({ auth }: CallRow) => auth !== 'none'
const rolesOf = ({ roles: wanted = [] }: CallRow): readonly Role[] => wanted

/** A body that each call takes. */
const hash = 'a'.repeat(64)
const sent: Record<string, unknown> = {
  'POST /setup': { token: 'x' },
  'POST /setup/confirm': { token: 'x', code: '123456' },
  'POST /login': { name: 'ann', password: 'x', code: '123456' },
  'POST /fresh': { password: 'x', code: '123456' },
  'POST /password': { next: 'x' },
  'POST /factor/confirm': { code: '123456' },
  'POST /operators': { name: 'newcomer', roles: ['viewer'] },
  'PATCH /operators/:id': { roles: ['viewer'] },
  'POST /drafts': { name: 'Summer' },
  'POST /drafts/import': { name: 'Summer', files: { 'schemas/app.json': '{}' } },
  'PATCH /drafts/:id': { name: 'Summer' },
  'PUT /drafts/:id/files': { path: 'schemas/app.json', text: '{}', version: 0 },
  'POST /drafts/:id/revert': { path: 'schemas/app.json' },
  'POST /drafts/:id/merge': { choices: { a: 'mine' } },
  'POST /drafts/:id/comments': { text: 'Why gold?' },
  'POST /drafts/:id/submit': { note: '' },
  'POST /drafts/:id/approve': { hash, note: '', unrunFlows: '' },
  'POST /drafts/:id/reject': { hash, reason: 'no' },
  'POST /drafts/:id/publish': { hash, reason: 'yes', rollout: { segment: { kyc: 1 }, percent: 5 } },
  'DELETE /drafts/:id/schedule': { reason: 'no' },
  'POST /releases/:id/rollback': { reason: 'broken' },
  'POST /rollout': { percent: 10, reason: 'well' },
}
const queries: Record<string, string> = { 'GET /files': '?draft=1' }

beforeAll(async () => {
  database = await openStandIn(dataDir, consoleMigrations)
  stage = await startConsole(database)
  stage.answer('audit', () => ({ rows: [], total: 0 }))
  stage.answer('auditRow', (id) => ({
    id,
    at: 0,
    actor: 'ann',
    action: 'draft.save',
    subject: 'draft 1',
    reason: '',
    detail: {},
    name: 'One',
    chain: 'c',
  }))
  stage.answer('auditChange', () => ({ path: 'schemas/app.json', before: null, after: '{}' }))
  all = await stage.operator('has everything', roles)
  ended = await stage.operator('has logged out', roles)
  await stage.ask('POST', '/logout', { cookie: ended.cookie })
  idle = await stage.operator('was away', roles)
  await database.db.updateTable('config_operator_session').set({ seen_at: 1 }).where('operator_id', '=', idle.id).execute()
  frozen = await stage.operator('is frozen', roles)
  await database.db.updateTable('config_operator').set({ frozen: true }).where('id', '=', frozen.id).execute()
  dated = await stage.operator('proved long ago', roles)
  await database.db.updateTable('config_operator_session').set({ fresh_until: 1 }).where('operator_id', '=', dated.id).execute()
  for (const route of list) {
    const needed = rolesOf(route).join()
    if (needed && !without.has(needed))
      without.set(
        needed,
        await stage.operator(
          `lacks ${needed.replaceAll(',', ' ')}`,
          roles.filter((role) => !rolesOf(route).includes(role)),
        ),
      )
  }
  stage.did.length = 0
  stage.logged.length = 0
})
afterAll(async () => {
  await stage?.close()
  await database?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Sending = Parameters<ConsoleStage['ask']>[2] & { query?: string }
function send(route: CallRow, sending: Sending): Promise<ConsoleAnswer> {
  const { query = queries[nameOf(route)] ?? '', ...rest } = sending
  return stage.ask(route.method, addressOf(route) + query, { body: sent[nameOf(route)], ...rest })
}

const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
const situations: [name: string, applies: (route: CallRow) => boolean, sending: (route: CallRow) => Sending, refusal: string][] = [
  ['nobody', closed, () => ({}), '401 login_required'],
  ['a customer', closed, () => ({ headers: { authorization: `Bearer ${customerToken}` } }), '401 login_required'],
  ['a customer in a cookie', closed, () => ({ cookie: `tessera_console=${customerToken}` }), '401 login_required'],
  ['two cookies of that name', closed, () => ({ cookie: `${all.cookie}; tessera_console=x` }), '401 login_required'],
  ['a session that was ended', closed, () => ({ cookie: ended.cookie }), '401 login_required'],
  ['a session that was idle too long', closed, () => ({ cookie: idle.cookie }), '401 login_required'],
  ['a frozen operator', closed, () => ({ cookie: frozen.cookie }), '401 login_required'],
  [
    'every other role',
    (route) => rolesOf(route).length > 0,
    (route) => ({ cookie: without.get(rolesOf(route).join())!.cookie }),
    '403 not_allowed',
  ],
  ['no fresh proof', ({ fresh }) => fresh === true, () => ({ cookie: dated.cookie }), '401 fresh_login_required'],
  ['no marker', changes, () => ({ cookie: all.cookie, headers: { 'x-console': '' } }), '403 forbidden'],
  ['a form of another page', changes, () => ({ cookie: all.cookie, headers: { 'x-console': '', ...cross } }), '403 forbidden'],
  ['another origin', () => true, () => ({ cookie: all.cookie, headers: { origin: 'https://evil.example' } }), '403 forbidden'],
  ['another site', () => true, () => ({ cookie: all.cookie, headers: { 'sec-fetch-site': 'cross-site' } }), '403 forbidden'],
  ['a token in the query', () => true, () => ({ query: `?token=${all.token}` }), '400 parameter_error'],
  [
    'a token in the query beside a session',
    () => true,
    () => ({ cookie: all.cookie, query: `?token=${all.token}` }),
    '400 parameter_error',
  ],
  [
    'a field that is not known',
    (route) => sent[nameOf(route)] !== undefined,
    (route) => ({ cookie: all.cookie, body: { ...(sent[nameOf(route)] as object), more: 1 } }),
    '400 parameter_error',
  ],
  [
    'a body that is no JSON',
    (route) => sent[nameOf(route)] !== undefined,
    () => ({ cookie: all.cookie, body: undefined }),
    '400 parameter_error',
  ],
]

test.each(situations)('%s is refused everywhere, and nothing changes', async (_name, applies, sending, refusal) => {
  const before = await operatorRows(database)
  const those = list.filter(applies)
  expect(those.length).toBeGreaterThan(4)
  for (const route of those) {
    const answer = await send(route, sending(route))
    expect(`${nameOf(route)}: ${answer.status} ${answer.json.code}`).toBe(`${nameOf(route)}: ${refusal}`)
    expect(answer.json).not.toHaveProperty('data.rows')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(stage.did).toEqual([])
  expect(await operatorRows(database)).toBe(before)
})

test('refused access stands in the log with call, operator and network, and not once for each request', () => {
  const refused = stage.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === 'access_refused')
  expect(refused.length).toBeLessThanOrEqual(60)
  const network = { ip: '127.0.0.1', network: '127.0.0/24' }
  for (const line of [
    { route: 'session.me', problem: 'login_required', ...network },
    { route: 'operators.list', problem: 'login_required', ...network },
  ])
    expect(refused).toContainEqual(expect.objectContaining(line))
  expect(new Set(refused.map(({ route, problem, subject }) => `${route} ${problem} ${subject}`)).size).toBe(refused.length)
})

test('a token that came in a query stands in no line of the log', () => {
  expect(stage.logged.join('')).not.toContain(all.token)
})

test('whoever may ask is not refused for who he is', async () => {
  for (const route of list.filter((one) => closed(one) && one.path !== '/logout' && one.path !== '/events')) {
    const roles = rolesOf(route)
    const name = `is ${roles.join(' ') || 'viewer'}`
    const one = await stage.operator(name, roles.length ? roles.slice(0, 1) : ['viewer'])
    const { status, json } = await send(route, { cookie: one.cookie })
    expect(`${nameOf(route)} ${json.code ?? 'ok'}`).not.toMatch(
      /login_required|fresh_login_required|not_allowed|forbidden|parameter_error|internal/,
    )
    expect(status).toBeLessThan(500)
  }
})

test('the list names everything that is mounted', () => {
  interface Layer {
    route?: { path: string; stack: { method?: string }[] }
  }
  const { stack } = stage.console.app.router as unknown as { stack: Layer[] }
  const mounted = new Set(
    stack.flatMap(({ route }) => (route?.stack ?? []).flatMap(({ method }) => (method ? [`${method.toUpperCase()} ${route!.path}`] : []))),
  )
  const listed = list.map(nameOf)
  expect(new Set(listed).size).toBe(listed.length)
  expect([...mounted]).toEqual(['POST /test/operator'])
})

test.each([
  ['PUT', '/login', '405 method_not_allowed'],
  ['HEAD', '/me', '405 undefined'],
  ['OPTIONS', '/me', '405 method_not_allowed'],
  ['GET', '/nothing', '404 not_found'],
  ['GET', '/drafts/1e3', '404 not_found'],
  ['GET', '/drafts/%ff', '404 not_found'],
  ['GET', '/releases/99999999999999999999', '404 not_found'],
])('%s %s is %s', async (method, path, refusal) => {
  const answer = await stage.ask(method, path, { cookie: all.cookie })
  expect(`${answer.status} ${answer.json.code}`).toBe(refusal)
})
