import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogRow } from '#contract/console/console.rows.ts'
import type {
  CheckReport,
  ConsoleCatalog,
  Draft,
  DraftFile,
  FileSet,
  MergeResult,
  ReleaseInfo,
  Role,
} from '#language/publish/publishing.ts'
import { createSecrets } from '#server-kit/security/secrets.ts'
import { type ConfigRoot, createConfigRoot } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, runConfig } from '#tests/support/servers/config-server.ts'
import type { TestOperator } from '#tests/support/servers/console-stage.ts'

/** A change from draft to customer, over the wire, by operators with different roles. */

let source: ConfigRoot
let running: RunningConfig
const people: Record<string, TestOperator> = {}
const english = 'locales/en/home.json'

beforeAll(async () => {
  source = await createConfigRoot()
  running = await runConfig(source.root, { testHooks: true, console: { secrets: createSecrets('a key of the test, long enough') } })
  const wanted: [string, Role[]][] = [
    ['ed', ['editor']],
    ['eva', ['editor', 'approver']],
    ['pia', ['publisher', 'approver']],
    ['vic', ['viewer']],
  ]
  for (const [name, roles] of wanted) people[name] = (await call('POST', '/test/operator', undefined, { name, roles })) as TestOperator
})
afterAll(async () => {
  await running?.stop()
  await source?.remove()
})

async function call(method: string, path: string, as: string | undefined, body?: unknown): Promise<unknown> {
  const answer = await fetch(running.origin + (path.startsWith('/test/') ? path : `/console/api${path}`), {
    method,
    headers: {
      'x-console': '1',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${people[as]!.token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const parsed = (await answer.json()) as { data?: unknown; code?: string }
  return path.startsWith('/test/') ? parsed : answer.ok ? parsed.data : `${answer.status} ${parsed.code}`
}
const get = <T>(path: string, as = 'vic') => call('GET', path, as) as Promise<T>
const post = <T>(path: string, as: string, body: unknown = {}) => call('POST', path, as, body) as Promise<T>
/** The title that customers read. */
const titleLive = async () => {
  const manifest = (await (await fetch(`${running.origin}/config/manifest?locale=en`)).json()) as { texts: Record<string, string> }
  const text = await fetch(`${running.origin}/config/documents/${manifest.texts.home}.json`)
  return ((await text.json()) as { title: string }).title
}

test('from the first edit to the customer and back', async () => {
  expect((await get<ConsoleCatalog>('/catalog')).catalog.widgets.length).toBe(1)
  const draft = await post<Draft>('/drafts', 'ed', { name: 'Summer' })
  expect(draft).toMatchObject({ id: expect.any(Number), author: 'ed', state: 'open', hash: null, base: 1 })
  expect(await post('/drafts', 'ed', { name: 'summer' })).toBe('409 name_taken')
  const path = `/drafts/${draft.id}`
  const set = await get<FileSet>(`/files?draft=${draft.id}`)
  const text = set.files[english]!.replace(/"title": "[^"]*"/, '"title": "Summer"')
  const save = (as: string, words: string, version: number) => call('PUT', `${path}/files`, as, { path: english, text: words, version })
  const saved = (await save('ed', text, 0)) as DraftFile
  expect(await save('eva', text.replace('Summer', 'Autumn'), 0)).toBe('409 save_conflict')
  expect(await save('vic', text, saved.version)).toBe('403 not_allowed')

  const report = await post<CheckReport>(`${path}/check`, 'vic')
  expect(report).toMatchObject({ ok: true, canRunFlows: false, screens: ['home.home'] })
  expect(await post(`${path}/flows`, 'ed')).toBe('422 flows_not_run')
  expect(await post(`${path}/submit`, 'pia', { note: '' })).toBe('403 not_allowed')
  expect(await post(`${path}/submit`, 'ed', { note: 'For July' })).toMatchObject({ state: 'submitted' })
  const { hash } = await get<Draft>(path)
  const approve = (as: string, unrunFlows: string) => post<Draft | string>(`${path}/approve`, as, { hash, note: '', unrunFlows })
  expect(await approve('pia', '')).toBe('422 flows_not_run')
  expect(await approve('ed', 'looked at it')).toBe('403 not_allowed')

  // The author may not approve, and an edit after an approval voids it.
  expect(await approve('pia', 'looked at it')).toMatchObject({ state: 'approved' })
  await save('eva', text.replace('Summer', 'Summer!'), saved.version)
  const publish = (as: string, more: object = {}) => post<ReleaseInfo | string>(`${path}/publish`, as, { hash, reason: 'July', ...more })
  expect(await publish('pia')).toMatch(/^409 (?:hash_changed|not_approved)$/)
  expect(await post(`${path}/submit`, 'eva', { note: '' })).toMatchObject({ state: 'submitted' })
  const now = (await get<Draft>(path)).hash
  expect(await post(`${path}/approve`, 'eva', { hash: now, note: '', unrunFlows: 'looked at it' })).toBe('403 own_draft')
  expect(await post(`${path}/approve`, 'pia', { hash: now, note: '', unrunFlows: 'looked at it' })).toMatchObject({ state: 'approved' })
  expect(await publish('ed', { hash: now })).toBe('403 not_allowed')
  expect(await publish('pia', { hash: now, reason: '' })).toBe('422 reason_missing')
  expect(await titleLive()).not.toContain('Summer')
  expect(await publish('pia', { hash: now })).toMatchObject({ number: 2, state: 'live', author: 'ed', approver: 'pia', publisher: 'pia' })
  expect(await titleLive()).toBe('Summer!')
  expect(await get<ReleaseInfo[]>('/releases')).toMatchObject([{ number: 2 }, { number: 1, state: 'past' }])
  expect(await get('/releases/2/diff')).toMatchObject([{ path: english, changes: [{ kind: 'changed', member: expect.any(String) }] }])

  const back = await post<ReleaseInfo>('/releases/1/rollback', 'pia', { reason: 'Too early' })
  expect(back).toMatchObject({ number: 3, kind: 'rollback', state: 'live' })
  expect(await titleLive()).not.toContain('Summer')
  expect(await post('/releases/77/rollback', 'pia', { reason: 'x' })).toBe('404 not_found')
  const log = await get<{ list: LogRow[] }>('/audit?size=100')
  expect(log.list.map(({ operator, action }) => `${operator} ${action}`)).toEqual(
    expect.arrayContaining(['pia release.rollback', 'pia release.publish', 'pia draft.approve', 'ed draft.submit', 'eva draft.save']),
  )
  expect(await running.config.publishing.verifyAudit()).toMatchObject({ ok: true })
})

test('an outdated draft is merged first; a rollout is widened and stopped', async () => {
  const begin = async (name: string, from: RegExp, to: string) => {
    const draft = await post<Draft>('/drafts', 'ed', { name })
    const { files } = await get<FileSet>(`/files?draft=${draft.id}`)
    await call('PUT', `/drafts/${draft.id}/files`, 'ed', { path: english, text: files[english]!.replace(from, to), version: 0 })
    return `/drafts/${draft.id}`
  }
  const pass = async (path: string, more: object = {}) => {
    await post(`${path}/submit`, 'ed', { note: '' })
    const { hash } = await get<Draft>(path)
    await post(`${path}/approve`, 'pia', { hash, note: '', unrunFlows: 'looked at it' })
    return post<ReleaseInfo | string>(`${path}/publish`, 'pia', { hash, reason: 'go', ...more })
  }
  const slow = await begin('slow', /"leave": "[^"]*"/, '"leave": "Leave now"')
  const fast = await begin('fast', /"title": "[^"]*"/, '"title": "Fast"')
  expect(await pass(fast, { rollout: { segment: {}, percent: 5 } })).toMatchObject({ state: 'candidate', rollout: { percent: 5 } })
  expect(await post('/rollout', 'ed', { percent: 50, reason: 'well' })).toBe('403 not_allowed')
  expect(await post('/rollout', 'pia', { percent: 50, reason: 'well' })).toMatchObject({ rollout: { percent: 50 } })
  expect(await post('/rollout', 'pia', { complete: true, reason: 'well' })).toMatchObject({ state: 'live' })
  expect(await titleLive()).toBe('Fast')
  expect((await get<Draft>(slow)).stale).toBe(true)
  expect(await post(`${slow}/submit`, 'ed', { note: '' })).toBe('409 stale_base')
  expect((await post<MergeResult>(`${slow}/merge`, 'ed', { choices: {} })).conflicts).toEqual([])
  expect(await pass(slow)).toMatchObject({ state: 'live' })
  expect(await titleLive()).toBe('Fast')
  expect(await get('/guard')).toEqual(expect.any(Array))
})

test('a login over the wire, for the own account only', async () => {
  const { name, password, totpSecret } = people.vic!
  const code = generateSync({ secret: totpSecret })
  expect(await post('/login', 'vic', { name, password, code, as: 'token' })).toMatchObject({ operator: { name: 'vic', roles: ['viewer'] } })
  expect(await post('/login', 'vic', { name, password, code, as: 'token' })).toBe('401 login_failed')
})
