import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '#config-server/cli/login.ts'
import { remote } from '#config-server/cli/remote.ts'
import { createPages } from '#config-server/console/pages.ts'
import { logRow } from '#contract/console/console.rows.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type AuditRow, roles } from '#language/publish/publishing.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'
import { openStandIn } from '#tests/support/databases/engines.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type ConsoleStage, consoleMigrations, said, startConsole, type TestOperator } from '#tests/support/servers/console-stage.ts'
import { ask } from '#tests/support/servers/http.ts'

const folder = mkdtempSync(join(tmpdir(), 'tessera-console-'))
let database: Database
let stage: ConsoleStage
let all: TestOperator

beforeAll(async () => {
  database = await openStandIn(folder, consoleMigrations)
  mkdirSync(join(folder, 'pages/assets'), { recursive: true })
  for (const name of ['index.html', 'index.html.br', 'preview.html', 'back-office.html', 'assets/a-1.js'])
    writeFileSync(join(folder, 'pages', name), name)
  stage = await startConsole(database, {
    pages: join(folder, 'pages'),
    limits: { guarded: { requests: 2, seconds: 60, loopbackRequests: 100 } },
    flows: {
      available: async () => true,
      async run({ files, screens, onProgress }) {
        const result = { flow: `${Object.keys(files).length} files, ${screens.join()}`, ok: true, ms: 1, step: '', message: '' }
        onProgress(1, 1, result)
        return [result]
      },
    },
  })
  all = await stage.operator('ann', roles)
})
afterAll(async () => {
  await stage?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})
const get = (path: string, headers: Record<string, string> = {}) => stage.ask('GET', path, { cookie: all.cookie, headers })
const post = (path: string, body: unknown = {}) => stage.ask('POST', path, { cookie: all.cookie, body })

test('what publishing refuses keeps its code and data; what only a bug can do says nothing of itself', async () => {
  stage.answer('save', () => {
    throw new ApiProblem('save_conflict', { data: { theirs: { path: 'a', version: 3 } } })
  })
  const save = (body: object) =>
    stage.ask('PUT', '/drafts/1/files', { cookie: all.cookie, body: { path: 'a', text: 'b', version: 0, ...body } })
  const conflict = await save({})
  expect([said(conflict), conflict.json.data]).toEqual(['409 save_conflict', { theirs: { path: 'a', version: 3 } }])
  stage.answer('save', () => {
    throw new Error('secret of the house')
  })
  const broken = await save({})
  expect(said(broken)).toBe('500 internal')
  expect(broken.text).not.toMatch(/secret|Error|at /)
  expect(stage.logged.join('')).toContain('secret of the house')
  stage.answer('save', () => ({ version: 1 }))
  for (const [body, refusal] of [
    [{ text: 'nul \0' }, '400 parameter_error'],
    [{ text: 'half \ud800' }, '400 parameter_error'],
    [{ text: 'whole 😀' }, '200 ok'],
    [{ text: null }, '200 ok'],
    [{ text: 3 }, '400 parameter_error'],
    [{ version: -1 }, '400 parameter_error'],
    [{ text: 'x'.repeat(4 * 1024 * 1024) }, '413 body_too_large'],
  ] as const)
    expect(said(await save(body))).toBe(refusal)
})

test.each(['/audit?actor=1%00', '/audit.csv?subject=%00'])('a query with NUL is refused: %s', async (path) => {
  expect(said(await get(path))).toBe('400 parameter_error')
})

test('many files travel packed', async () => {
  const set = { release: 1, files: { 'schemas/app.json': 'x'.repeat(50_000) }, changed: {} }
  stage.answer('files', () => set)
  const plain = await get('/files?release=1')
  expect(plain.headers['content-encoding']).toBeUndefined()
  const raw = await fetch(`${stage.origin}/console/api/files?draft=3`, { headers: { cookie: all.cookie, 'accept-encoding': 'gzip' } })
  expect(raw.headers.get('content-encoding')).toBe('gzip')
  expect(await raw.json()).toEqual({ data: set })
  expect(said(await get('/files'))).toBe('400 parameter_error')
  expect(said(await get('/files?draft=1&release=1'))).toBe('400 parameter_error')
  expect(said(await get('/files?draft='))).toBe('400 parameter_error')
})

test('the log goes out as a table that no spreadsheet runs, whole, and that is logged', async () => {
  const row = (id: number, more: Partial<AuditRow> = {}): AuditRow => ({
    id,
    at: 1_800_000_000_000,
    actor: 'ann',
    action: 'draft.save',
    subject: 'draft 3',
    fromHash: null,
    toHash: 'aa',
    reason: '',
    detail: {},
    chain: 'c',
    ...more,
  })
  const pages = [
    [row(3, { reason: '=HYPERLINK("http://evil.example")' }), row(2, { subject: 'a, "b"', detail: { to: ['x'] } })],
    [row(1, { actor: '@sum' })],
  ]
  stage.answer('audit', (filter) => {
    const { before } = filter as { before?: number }
    return { rows: before === undefined ? pages[0] : before === 2 ? pages[1] : [], total: 3 }
  })
  const answer = await get('/audit.csv?actor=ann&from=5')
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringContaining('text/csv'),
    'content-disposition': 'attachment; filename="audit.csv"',
  })
  const at = '2027-01-15T08:00:00.000Z'
  expect(answer.text.split('\r\n')).toEqual([
    'id,time,actor,action,subject,from,to,reason,detail,chain',
    `3,${at},ann,draft.save,draft 3,,aa,"'=HYPERLINK(""http://evil.example"")",{},c`,
    `2,${at},ann,draft.save,"a, ""b""",,aa,,"{""to"":[""x""]}",c`,
    `1,${at},'@sum,draft.save,draft 3,,aa,,{},c`,
    '',
  ])
  expect(stage.rows()).toContain('ann audit.export audit')
})

test('the log is shown by pages, and rows about operators lead to their pages for administrators alone', async () => {
  const asked: unknown[] = []
  const row = (id: number, subject: string, name: string) => ({
    id,
    at: 5,
    actor: 'ann',
    action: 'operator.roles',
    subject,
    name,
    fromHash: null,
    toHash: null,
    reason: '',
    chain: 'c',
    detail: { from: ['editor'], to: ['editor', 'approver'] },
  })
  stage.answer('audit', (filter) => {
    asked.push(filter)
    return { rows: [row(9, 'operator bob', ''), row(8, 'draft 3', 'Gold')], total: 42 }
  })
  const bob = await stage.operator('bob', ['viewer'])
  const page = await get('/audit?page=3&size=2&subject=gold')
  expect(asked).toEqual([{ subject: 'gold', offset: 4, limit: 2 }])
  expect(logRow.array().parse((page.json.data as { list: unknown[] }).list)).toMatchObject([
    {
      subject: 'operator bob',
      leads_to: 'operator',
      number: bob.id,
      changes: [{ name: 'roles', choice: 'role', after: ['editor', 'approver'] }],
    },
    { subject: 'draft 3', name: 'Gold', leads_to: 'draft', number: 3 },
  ])
  expect(page.json.data).toMatchObject({ total: 42 })
  const seen = await stage.ask('GET', '/audit', { cookie: bob.cookie })
  expect(seen.json.data).toMatchObject({ list: [{ leads_to: 'none', number: 0 }, { leads_to: 'draft' }] })
})

test('flows begin at once, and what became of them is kept', async () => {
  stage.answer('check', () => ({ hash: 'h', ok: true, screens: ['home'] }))
  expect((await post('/drafts/3/flows')).json.data).toMatchObject({ state: 'running', hash: 'h', by: 'ann' })
  const kept = () => stage.did.filter(({ name }) => name === 'keepFlows').map(({ args }) => args[1])
  await eventually(() => kept().at(-1)).toMatchObject({ state: 'passed', results: [{ flow: '1 files, home', ok: true }] })
  stage.answer('check', () => ({ hash: 'h', ok: false, screens: [] }))
  expect(said(await post('/drafts/3/flows'))).toBe('422 checks_failed')
})

test('a stream tells what to ask again, and ends with its session', async () => {
  const bob = await stage.operator('bob', ['viewer'])
  const answer = await fetch(`${stage.origin}/console/api/events`, { headers: { cookie: bob.cookie } })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => (await reader.read()).value
  expect(await read()).toContain('retry:')
  stage.change({ about: 'release', id: 7 })
  expect(await read()).toBe('data: {"about":"release","id":7}\n\n')
  await stage.ask('PATCH', `/operators/${bob.id}`, { cookie: all.cookie, body: { frozen: true } })
  expect(await read()).toContain('"operators"')
  expect((await reader.read()).done).toBe(true)
})

test('a stream with a draft tells who else has it open, while the connection lasts and no longer', async () => {
  const [mina, lea] = [await stage.operator('mina', ['editor']), await stage.operator('lea', ['viewer'])]
  stage.did.length = 0
  const listen = async ({ cookie }: TestOperator, query: string) => {
    const ending = new AbortController()
    const answer = await fetch(`${stage.origin}/console/api/events?${query}`, { headers: { cookie }, signal: ending.signal })
    let text = ''
    void (async () => {
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) text += part
    })().catch(() => undefined)
    const last = () => {
      const [, presence] = [...text.matchAll(/event: presence\ndata: (.*)\n\n/g)].at(-1) ?? []
      return presence && JSON.parse(presence).others
    }
    return { leave: () => ending.abort(), last, text: () => text }
  }
  const path = 'schemas/screens/home.json'
  const [first, other] = [await listen(mina, `draft=3&path=${path}`), await listen(lea, 'draft=4')]
  await eventually(first.last).toEqual([])
  const second = await listen(lea, 'draft=3')
  await eventually(() => [first.last(), second.last()]).toEqual([[{ name: 'lea', paths: [] }], [{ name: 'mina', paths: [path] }]])
  first.leave()
  await eventually(second.last).toEqual([])
  expect(other.text()).not.toContain('mina')
  second.leave()
  other.leave()
  expect(stage.did).toEqual([])
})

test.each([
  'draft=x',
  'draft=',
  'draft=-1',
  'draft=1.5',
  'path=a.json',
  'draft=1&path=',
  `draft=1&path=${'x'.repeat(201)}`,
  'draft=1&path=a%00',
  'draft=1&draft=2',
  'draft=1&more=1',
])('a stream for %s is refused', async (query) => {
  expect(said(await get(`/events?${query}`))).toBe('400 parameter_error')
})

test('the command line logs in, keeps the token to itself, and logs out', async () => {
  const cid = await stage.operator('cid', ['viewer'])
  const file = join(folder, 'config/operator.json')
  const type = (...lines: string[]) =>
    login(new Map([['server', `${stage.origin}/console/`]]), Readable.from([`${lines.join('\n')}\n`]), file)
  await expect(remote(stage.origin, file).call('session.me', {})).rejects.toMatchObject({ code: 'login_required', status: 401 })
  await expect(type('cid', 'wrong', '000000')).rejects.toMatchObject({ code: 'login_failed' })
  await expect(type('cid', cid.password)).rejects.toThrow('ended before code')
  const done = await type('cid', cid.password, stage.code(cid.totpSecret))
  expect(done).toMatchObject({ ok: true, text: expect.stringContaining('cid (viewer) is logged in') })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(cid.password)
  expect(await remote(stage.origin, file).call('session.me', {})).toMatchObject({ operator: { name: 'cid' } })
  await expect(remote(stage.origin, file).call('drafts.create', { name: 'x' })).rejects.toMatchObject({ code: 'not_allowed', status: 403 })
  await login(
    new Map([
      ['server', stage.origin],
      ['logout', ''],
    ]),
    undefined,
    file,
  )
  await expect(remote(stage.origin, file).call('session.me', {})).rejects.toMatchObject({ code: 'login_required' })
  for (const server of ['http://ops.example', 'ftp://127.0.0.1', 'nonsense']) expect(() => remote(server, file)).toThrow(/TLS|no address/)
})

test('an address that guesses from far away is stopped before anything is looked up', async () => {
  const far = { 'x-forwarded-for': '203.0.113.9' }
  const guess = () => stage.ask('POST', '/login', { body: { name: 'nobody', password: 'x', code: '1' }, headers: far })
  expect([said(await guess()), said(await guess()), said(await guess())]).toEqual([
    '401 login_failed',
    '401 login_failed',
    '429 too_many_requests',
  ])
})

test.each([
  ['/console/', 200, "frame-ancestors 'none'", 'DENY', 'no-cache'],
  ['/console/?x=1', 200, "frame-ancestors 'none'", 'DENY', 'no-cache'],
  ['/console/preview.html', 200, "frame-ancestors 'self'", 'SAMEORIGIN', 'no-cache'],
  ['/console/back-office.html', 200, "frame-ancestors 'self'", 'SAMEORIGIN', 'no-cache'],
  ['/console/assets/a-1.js', 200, "frame-ancestors 'none'", 'DENY', 'public, max-age=31536000, immutable'],
  ['/console/../operator.json', 404, "frame-ancestors 'none'", 'DENY', 'no-store'],
  ['/console/index.html.br', 404, "frame-ancestors 'none'", 'DENY', 'no-store'],
  ['/consoles', 404, "frame-ancestors 'none'", 'DENY', 'no-store'],
])('page %s is %i, %s', async (path, status, ancestors, frames, cache) => {
  const answer = await ask(stage.origin, path)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-security-policy']).toContain(ancestors)
  expect(answer.headers).toMatchObject({ 'x-frame-options': frames, 'cache-control': cache, 'x-content-type-options': 'nosniff' })
  if (status === 200) expect(answer.headers['content-security-policy']).toMatch(/script-src 'self';.*frame-src 'self'|frame-src https:/)
  if (status === 200) expect(answer.headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
})

test('/console leads to /console/, and without a build that says so', async () => {
  expect((await ask(stage.origin, '/console')).headers.location).toBe('/console/')
  const server = createServer(createPages(join(folder, 'none'), createSecurity({ trustProxy: [] })))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const page = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, '/console/')
  server.close()
  expect([page.status, page.text]).toEqual([404, 'The console is not built; npm run build does that.\n'])
})
