import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import type { PlannedCall } from '#contract/planned.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'
import { envelopeOf, refusal } from '#tests/support/servers/envelope.ts'

/** Calls of an area that has no server. */
const planned = {
  'ieo.list': {
    planned: true,
    method: 'GET',
    path: '/ieo/list',
    auth: 'none',
    reads: true,
    input: z.object({ page: z.string().max(3).optional() }),
    output: z.object({ list: z.array(z.object({ id: z.int() })) }),
    problems: [],
    summary: 'What is on offer',
  },
  'ieo.buy': {
    planned: true,
    method: 'POST',
    path: '/ieo/buy',
    auth: 'user',
    keyed: 'money',
    input: z.object({ amount: z.string().max(40) }),
    output: z.object({ id: z.int() }),
    problems: ['insufficient_balance'],
    summary: 'Buys for an amount',
  },
} satisfies Record<string, PlannedCall>

onEngines('planned calls', (engine) => {
  let api: TestApi
  let token = ''
  beforeAll(async () => {
    api = await startApi({ place: await engine.place(), planned })
    token = envelopeOf(await api.post('/test/user')).data!.token as string
  })
  afterAll(() => api?.close())

  test.each<[name: string, path: string, fields: string, refused: string]>([
    ['a planned read', 'ieo.list', 'page=2', '501 not_built_yet'],
    ['a planned read with a wrong field', 'ieo.list', 'page=2222', '400 text_too_long page'],
    ['a planned call that moves money', 'ieo.buy', 'amount=1', '501 not_built_yet'],
    ['a planned call without a field', 'ieo.buy', '', '400 parameter_missing amount'],
    ['a planned call with an unknown field', 'ieo.buy', 'amount=1&amuont=2', '400 parameter_unknown amuont'],
  ])('%s is refused', async (_, name, fields, refused) => {
    const { method, path } = planned[name as keyof typeof planned]
    const authorization = { authorization: token }
    const answer = method === 'GET' ? api.get(`/api${path}?${fields}`, authorization) : api.post(`/api${path}`, fields, authorization)
    expect(refusal(await answer)).toBe(refused)
  })
  test('a planned call for customers asks for a login first, and the refusal is in the language of the customer', async () => {
    expect(refusal(await api.post('/api/ieo/buy', 'amount=1'))).toBe('401 unauthorized')
    expect(envelopeOf(await api.get('/api/ieo/list?lang=es'))).toMatchObject({
      code: 5005,
      name: 'not_built_yet',
      msg: 'Esta función está en desarrollo y aún no está disponible.',
    })
    expect(JSON.parse((await api.get('/openapi.json')).text).paths['/api/ieo/list']).toBeUndefined()
  })
})
