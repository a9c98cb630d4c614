import { expect, test, vi } from 'vitest'
import { type ClientOptions, ConsoleError, createClient } from '#console/io/client.ts'

interface Sent {
  url: string
  init: RequestInit
}
/** Answers in order; the last one stays. */
function stage(answers: [status: number, body: unknown][], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const fetch = vi.fn(async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    const [status, body] = answers[Math.min(sent.length, answers.length) - 1]!
    if (status === 0) throw new TypeError('failed')
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  }) as unknown as typeof globalThis.fetch
  return { sent, client: createClient({ fetch, ...options }) }
}
const problem = async (work: Promise<unknown>): Promise<ConsoleError> =>
  work.then(
    () => Promise.reject(new Error('it went through')),
    (error) => error as ConsoleError,
  )

test('every call says that it comes from the console, and keeps tokens out of addresses', async () => {
  const { client, sent } = stage([[200, { data: {} }]])
  await client.setup({ token: 'secret-token', password: 'p' })
  await client.files({ draft: 3 })
  await client.releaseDiff(4, 3)
  expect(sent.map(({ url }) => url)).toEqual(['/console/api/setup', '/console/api/files?draft=3', '/console/api/releases/4/diff?against=3'])
  expect(sent.map(({ init }) => new Headers(init.headers).get('x-console'))).toEqual(['1', '1', '1'])
  expect(sent[0]?.init.body).toBe('{"token":"secret-token","password":"p"}')
  expect(sent[1]?.init.body).toBeUndefined()
})

test.each<[string, [number, unknown], Partial<ConsoleError>]>([
  [
    'a refusal with data',
    [409, { code: 'save_conflict', message: 'm', data: { theirs: 1 } }],
    { code: 'save_conflict', status: 409, message: 'm', data: { theirs: 1 } },
  ],
  ['the name of another server', [413, { code: 4006, name: 'body_too_large' }], { code: 'body_too_large', status: 413 }],
  ['a page of a proxy', [502, '<html>'], { code: 'internal', status: 502 }],
  ['no answer', [0, null], { code: 'offline', status: 0 }],
  ['success that is no JSON', [200, 'hello'], { code: 'internal' }],
])('%s becomes one error with a code', async (_what, answer, error) => {
  const reported = await problem(stage([answer]).client.drafts())
  expect(reported).toBeInstanceOf(ConsoleError)
  expect(reported).toMatchObject(error)
})

const fresh: [number, unknown] = [401, { code: 'fresh_login_required', message: '' }]
test('asks again after the operator has shown who he is', async () => {
  const onFresh = vi.fn(async () => true)
  const { client, sent } = stage([fresh, [200, { data: { number: 4 } }]], { onFresh })
  expect(await client.rollback(2, 'why')).toEqual({ number: 4 })
  expect([onFresh.mock.calls.length, sent.length]).toEqual([1, 2])
})

test('does not ask again when he refuses, and asks once only', async () => {
  const { client, sent } = stage([fresh], { onFresh: async () => false })
  expect((await problem(client.rollback(2, 'why'))).code).toBe('fresh_login_required')
  expect(sent.length).toBe(1)
  const again = stage([fresh], { onFresh: async () => true })
  expect((await problem(again.client.rollback(2, 'why'))).code).toBe('fresh_login_required')
  expect(again.sent.length).toBe(2)
})

test('tells when the session is over, and of nothing else', async () => {
  const onLogin = vi.fn()
  await problem(stage([[403, { code: 'not_allowed' }]], { onLogin }).client.drafts())
  expect(onLogin).not.toHaveBeenCalled()
  await problem(stage([[401, { code: 'login_required' }]], { onLogin }).client.drafts())
  expect(onLogin).toHaveBeenCalledOnce()
})
