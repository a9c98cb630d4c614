import { expect, test, vi } from 'vitest'
import { type BackOfficeRoute, createBackOfficeApi } from '#console/back-office/api.ts'

const routes: Record<string, BackOfficeRoute> = {
  'office.one': ['GET', '/one', 'operator'],
  'office.approve': ['POST', '/approve', 'operator', 'changes'],
  'office.csv': ['GET', '/csv', 'operator', 'streams'],
  'operators.change': ['PATCH', '/operators/:id', 'operator', 'console'],
  'audit.page': ['GET', '/audit', 'operator', 'console'],
  'audit.csv': ['GET', '/audit.csv', 'operator', 'console', 'streams'],
}
type Asked = { url: string; init: RequestInit }
const fine = (data: unknown) => () => Response.json({ code: 1, msg: '', data })
const refused = (code: number, name: string) => () => Response.json({ code, msg: 'Words', data: null, name }, { status: 409 })
const broken = (): Response => {
  throw new TypeError('no network')
}

function stage(answers: (() => Response)[], shown = false) {
  const asked: Asked[] = []
  const saved: string[] = []
  const onLogin = vi.fn()
  const onFresh = vi.fn(async () => shown)
  const api = createBackOfficeApi({
    base: '/back-office',
    consoleBase: '/console',
    download: (address) => void saved.push(address),
    routes,
    language: () => 'fr',
    onLogin,
    onFresh,
    againMs: [0, 0],
    fetch: (url, init) => {
      asked.push({ url: String(url), init: init ?? {} })
      return new Promise((done) => done((answers.shift() ?? broken)()))
    },
  })
  return { api, asked, saved, onLogin, onFresh }
}
const headers = ({ init }: Asked) => init.headers as Record<string, string>

test('a read carries its arguments in the address, and the marker', async () => {
  const { api, asked } = stage([fine({ id: 3 })])
  expect(await api.call('office.one', { id: 3, search: '', left: undefined, out: null }, { key: 'k' })).toEqual({ id: 3 })
  expect(asked[0]?.url).toBe('/back-office/one?id=3&search=&lang=fr')
  expect(headers(asked[0]!)).toEqual({ accept: 'application/json', 'x-console': '1' })
})

test('a change whose answer was lost is sent again under the same key, and only then', async () => {
  const { api, asked } = stage([broken, () => new Response('<html>', { status: 502 }), fine('done')])
  expect(await api.call('office.approve', { id: 3 }, { key: 'press-1' })).toBe('done')
  expect(asked.map((one) => headers(one)['idempotency-key'])).toEqual(['press-1', 'press-1', 'press-1'])
  expect(String(asked[2]?.init.body)).toBe('id=3&lang=fr')
})

test.each<[string, string, { key?: string }, (() => Response)[], number, string]>([
  ['a refusal', 'office.approve', { key: 'k' }, [refused(4044, 'state_wrong')], 1, 'state_wrong'],
  ['a change without a key', 'office.approve', {}, [broken], 1, 'network_failed'],
  ['a read', 'office.one', { key: 'k' }, [broken], 1, 'network_failed'],
  ['what stays lost', 'office.approve', { key: 'k' }, [broken, broken, broken], 3, 'network_failed'],
])('%s is not sent again without end', async (_, name, options, answers, times, problem) => {
  const { api, asked } = stage(answers)
  await expect(api.call(name, {}, options)).rejects.toMatchObject({ name: problem })
  expect(asked.length).toBe(times)
})

const stale = refused(4059, 'fresh_login_required')
test.each<[string, boolean, (() => Response)[], number, unknown]>([
  ['who shows it is done with one press', true, [stale, fine('done')], 2, 'done'],
  ['who does not is refused', false, [stale, fine('done')], 1, 'fresh_login_required'],
  ['it is not asked for without end', true, [stale, stale, fine('done')], 2, 'fresh_login_required'],
  ['what then is refused says so', true, [stale, refused(4044, 'state_wrong')], 2, 'state_wrong'],
  ['what then is lost is sent again', true, [stale, broken, fine('done')], 3, 'done'],
])('a change that wants proof of who asks: %s', async (_, shown, answers, times, outcome) => {
  const { api, asked, onFresh } = stage(answers, shown)
  const answer = await api.call('office.approve', { id: 3 }, { key: 'press-1' }).catch((problem: Error) => problem.name)
  expect([answer, onFresh.mock.calls.length]).toEqual([outcome, 1])
  expect(asked.map((one) => headers(one)['idempotency-key'])).toEqual(Array.from({ length: times }, () => 'press-1'))
})

test('only calls of the table that change something make what is shown stale', () => {
  const { api } = stage([])
  expect(['office.approve', 'office.one', 'constructor'].map((name) => api.changes?.(name))).toEqual([true, false, false])
})

test('a call that the back office does not have never leaves the page', async () => {
  const { api, asked } = stage([])
  for (const name of ['user.info', 'constructor']) await expect(api.call(name, {})).rejects.toMatchObject({ name: 'not_found' })
  expect(asked).toEqual([])
})

test('without a session the console is told, and nobody is shown a failure', async () => {
  const { api, onLogin } = stage([() => Response.json({ code: 401, msg: '', data: null }, { status: 401 })])
  const end = new AbortController()
  const settled = vi.fn()
  const asked = api.call('office.one', {}, { signal: end.signal }).then(settled, settled)
  await vi.waitFor(() => expect(onLogin).toHaveBeenCalledOnce())
  expect(settled).not.toHaveBeenCalled()
  end.abort(new Error('left'))
  await asked
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ message: 'left' }))
})

test('a read that is given up ends with the reason that was given', async () => {
  const end = new AbortController()
  const { api } = stage([broken])
  end.abort(new Error('left'))
  await expect(api.call('office.one', {}, { signal: end.signal })).rejects.toThrow('left')
})

test('a call of the config server is sent as the console sends it', async () => {
  const { api, asked } = stage([() => Response.json({ data: { id: 7 } }), () => Response.json({ data: { list: [] } })])
  expect(await api.call('operators.change', { id: 7, roles: ['editor'], frozen: undefined }, { key: 'k' })).toEqual({ id: 7 })
  expect([asked[0]?.url, asked[0]?.init.method, asked[0]?.init.body]).toEqual(['/console/operators/7', 'PATCH', '{"roles":["editor"]}'])
  expect(headers(asked[0]!)).toMatchObject({ 'content-type': 'application/json', 'x-console': '1' })
  await api.call('audit.page', { page: 2, actor: 'ann & bob', subject: '', from: null, to: undefined })
  expect(asked[1]?.url).toBe('/console/audit?page=2&actor=ann+%26+bob')
})

test.each<[string, () => Response, object]>([
  ['a refusal', () => Response.json({ code: 'lock_out', message: 'English' }, { status: 422 }), { name: 'lock_out', msg: '', code: 422 }],
  [
    'a wrong field',
    () => Response.json({ code: 'parameter_error', message: '', data: { field: 'name' } }, { status: 400 }),
    { name: 'parameter_error', field: 'name' },
  ],
  ['no network', broken, { name: 'network_failed', code: 0 }],
])('%s of the config server is a problem of the engine', async (_, answer, problem) => {
  const { api } = stage([answer])
  await expect(api.call('operators.change', { id: 7, frozen: true })).rejects.toMatchObject(problem)
})

test('a file is not fetched: the browser saves it from its address', async () => {
  const { api, asked, saved } = stage([])
  expect(await api.call('audit.csv', { actor: 'ann', from: 5, to: null })).toBeNull()
  expect(await api.call('office.csv', { operator: 'ann', action: null })).toBeNull()
  expect([asked, saved]).toEqual([[], ['/console/audit.csv?actor=ann&from=5', '/back-office/csv?operator=ann&lang=fr']])
})
