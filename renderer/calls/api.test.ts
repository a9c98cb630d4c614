import { type AxiosAdapter, AxiosError, type InternalAxiosRequestConfig } from 'axios'
import { describe, expect, test } from 'vitest'
import { CallProblem, createApi, type Route } from '#renderer/calls/api.ts'
import { upload } from '#renderer/calls/upload.ts'

const routes: Record<string, Route> = {
  'market.kline': ['POST', '/market/kline', 'none'],
  'currency.list': ['GET', '/currency/list', 'none'],
  'wallet.withdraw': ['POST', '/wallet/withdraw', 'user'],
  'user.editNickname': ['POST', '/user/editNickname', 'user', 'keyed', 'session'],
  'thing.put': ['PUT', '/thing', 'user'],
  'thing.drop': ['DELETE', '/thing', 'user'],
  'common.upload': ['POST', '/common/upload', 'user'],
}

/** An api whose answers are given; `asked` are the requests as they would go over the wire. */
function fakeApi(
  answer: { status?: number; data?: unknown } | ((config: InternalAxiosRequestConfig) => Promise<never>),
  token: string | undefined = 'secret',
) {
  const asked: { method: string; url: string; headers: Record<string, string>; body: string }[] = []
  const adapter: AxiosAdapter = async (config) => {
    const query = config.params ? `?${config.params}` : ''
    asked.push({
      method: (config.method ?? '').toUpperCase(),
      url: `${config.baseURL}${config.url}${query}`,
      headers: config.headers.toJSON() as Record<string, string>,
      body: String(config.data ?? ''),
    })
    if (typeof answer === 'function') return answer(config)
    const { status = 200, data } = answer
    return { status, statusText: '', headers: {}, config, data: typeof data === 'string' ? data : JSON.stringify(data) }
  }
  const api = createApi({ baseUrl: '/api', routes, token: () => token, language: () => 'ja', agent: 'a1', adapter })
  return { api, asked }
}
const ok = { data: { code: 1, msg: 'ok', data: { list: [] } } }

describe('what goes out', () => {
  test('a POST is form-encoded, with token, language and agent', async () => {
    const { api, asked } = fakeApi(ok)
    const answer = await api.call('market.kline', {
      symbol: 'BTCUSDT',
      limit: 300,
      on: true,
      big: 5n,
      none: undefined,
      nil: null,
      text: 'a b&c=1',
    })
    expect(answer).toEqual({ list: [] })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/api/market/kline' })
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      symbol: 'BTCUSDT',
      limit: '300',
      on: 'true',
      big: '5',
      text: 'a b&c=1',
      lang: 'ja',
      agent_id: 'a1',
    })
    expect(asked[0]?.headers).toMatchObject({
      Authorization: 'secret',
      'Content-Type': expect.stringContaining('application/x-www-form-urlencoded'),
    })
  })
  test.each(['currency.list', 'thing.drop'])('%s carries its fields in the address and has no body', async (name) => {
    const { api, asked } = fakeApi(ok)
    await api.call(name, { id: 7 })
    expect(asked[0]?.url).toMatch(/\?id=7&lang=ja&agent_id=a1$/)
    expect(asked[0]?.body).toBe('')
    expect(asked[0]?.url).not.toContain('secret')
  })
  test.each([
    ['market.kline', 'POST', 'id=7'],
    ['currency.list', 'GET', ''],
    ['thing.put', 'PUT', 'id=7'],
    ['thing.drop', 'DELETE', ''],
  ])('%s goes out as %s', async (name, method, body) => {
    const { api, asked } = fakeApi(ok)
    await api.call(name, { id: 7 })
    expect(asked.map((one) => [one.method, one.body.replace(/&?lang=ja&agent_id=a1$/, '')])).toEqual([[method, body]])
  })
  test('arguments cannot take the place of language and agent', async () => {
    const { api, asked } = fakeApi(ok)
    await api.call('market.kline', { lang: 'xx', agent_id: 'evil' })
    expect(new URLSearchParams(asked[0]?.body).getAll('lang')).toEqual(['ja'])
    expect(new URLSearchParams(asked[0]?.body).getAll('agent_id')).toEqual(['a1'])
  })
  const keys: [string, string | undefined, string | undefined][] = [
    ['wallet.withdraw', 'k1', 'k1'],
    ['thing.drop', 'k2', 'k2'],
    ['currency.list', 'k3', undefined],
    ['wallet.withdraw', undefined, undefined],
  ]
  test.each(keys)('%s with key %s sends %s', async (name, key, sent) => {
    const { api, asked } = fakeApi(ok)
    await api.call(name, {}, key === undefined ? {} : { key })
    expect(asked[0]?.headers['Idempotency-Key']).toBe(sent)
  })
  test('a visitor sends no token, and a call for users is not sent at all', async () => {
    const { api, asked } = fakeApi(ok, '')
    await api.call('market.kline', {})
    expect(asked[0]?.headers.Authorization).toBeUndefined()
    await expect(api.call('wallet.withdraw', { amount: '1' })).rejects.toMatchObject({ code: 401, name: 'unauthorized' })
    expect(asked).toHaveLength(1)
  })
  const refused: [string, unknown][] = [
    ['an object', {}],
    ['a list', ['1']],
    ['rows with a list', [{ a: ['1'] }]],
    ['rows among others', [{ a: '1' }, '2']],
    ['not a number', Number.NaN],
    ['endless', Number.POSITIVE_INFINITY],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ]
  test.each(refused)('%s is refused before anything is sent', async (_, value) => {
    const { api, asked } = fakeApi(ok)
    await expect(api.call('market.kline', { field: value })).rejects.toMatchObject({ code: 4000, name: 'parameter_error', field: 'field' })
    expect(asked).toEqual([])
  })
  test('rows go as the JSON text of their list, without members that are empty', async () => {
    const { api, asked } = fakeApi(ok)
    const exits = [
      { price: '65000', share: '50', note: null },
      { price: '68000', share: '50', last: true },
    ]
    await api.call('market.kline', { exits })
    const sent = new URLSearchParams(asked[0]?.body)
    expect(sent.get('exits')).toBe('[{"price":"65000","share":"50"},{"price":"68000","share":"50","last":true}]')
  })
  test.each(['no.such', '__proto__', 'constructor', 'toString'])('%s is no call', async (name) => {
    const { api, asked } = fakeApi(ok)
    await expect(api.call(name, {})).rejects.toMatchObject({ name: 'not_found' })
    expect(asked).toEqual([])
  })
})

describe('what comes back', () => {
  const html = '<!doctype html><title>502</title>'
  const rows: [string, { status?: number; data: unknown }, object][] = [
    [
      'a problem by name',
      { status: 409, data: { code: 4302, msg: 'old', data: null, name: 'price_stale', field: 'amount' } },
      { code: 4302, name: 'price_stale', msg: 'old', field: 'amount' },
    ],
    [
      '401',
      { status: 401, data: { code: 401, msg: 'Log in', data: null, name: 'unauthorized' } },
      { code: 401, name: 'unauthorized', msg: 'Log in' },
    ],
    ['401 without a name', { data: { code: 401, msg: 'x' } }, { code: 401, name: 'unauthorized' }],
    ['402 without a name', { data: { code: 402, msg: 'x' } }, { code: 402, name: 'verification_required' }],
    ['a code that nobody knows', { data: { code: 77, msg: 'x' } }, { code: 77, name: 'internal' }],
    ['a name that is no name', { data: { code: 77, msg: 'x', name: '<b>__proto__' } }, { name: 'internal' }],
    ['a field that is no text', { data: { code: 77, msg: 'x', field: {} } }, { field: undefined }],
    ['HTML with 502', { status: 502, data: html }, { code: 0, name: 'answer_unreadable', msg: '' }],
    ['HTML with 200', { data: html }, { code: 0, name: 'answer_unreadable' }],
    ['nothing', { data: '' }, { name: 'answer_unreadable' }],
    ['cut JSON', { data: '{"code":1,"msg":"ok","da' }, { name: 'answer_unreadable' }],
    ['null', { data: 'null' }, { name: 'answer_unreadable' }],
    ['a list', { data: '[1]' }, { name: 'answer_unreadable' }],
    ['a code that is text', { data: { code: '1', msg: 'ok', data: 5 } }, { name: 'answer_unreadable' }],
    ['a code that is no integer', { data: { code: 1.5, msg: 'ok', data: 5 } }, { name: 'answer_unreadable' }],
    ['a msg that is no text', { data: { code: 1, msg: {}, data: 5 } }, { name: 'answer_unreadable' }],
  ]
  test.each(rows)('%s', async (_, answer, expected) => {
    const problem = await fakeApi(answer)
      .api.call('market.kline', {})
      .catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(CallProblem)
    expect(problem).toMatchObject(expected)
  })
  test.each([
    [{ code: 1, msg: '', data: 0 }, 0],
    [{ code: 1, msg: '', data: '' }, ''],
    [{ code: 1, msg: 'ok' }, null],
  ])('%o is success', async (data, expected) => expect(await fakeApi({ data }).api.call('market.kline', {})).toEqual(expected))
  test('success with a strange status is success: the envelope decides', async () => {
    expect(await fakeApi({ status: 500, data: { code: 1, msg: '', data: 3 } }).api.call('market.kline', {})).toBe(3)
  })
})

describe('no answer', () => {
  const failures: [string | undefined, string][] = [
    ['ERR_NETWORK', 'network_failed'],
    ['ECONNABORTED', 'timed_out'],
    ['ETIMEDOUT', 'timed_out'],
    ['ERR_BAD_OPTION', 'network_failed'],
  ]
  test.each(failures)('%s is %s', async (code, name) => {
    const { api } = fakeApi((config) => Promise.reject(new AxiosError('x', code, config)))
    await expect(api.call('market.kline', {})).rejects.toMatchObject({ code: 0, name, msg: '' })
  })
  test('the timeout is a minute', async () => {
    let timeout: number | undefined
    const { api } = fakeApi((config) => {
      timeout = config.timeout
      return Promise.reject(new AxiosError('x'))
    })
    await api.call('market.kline', {}).catch(() => undefined)
    expect(timeout).toBe(60_000)
  })
  test('a call that its caller gave up rejects with the reason of the signal, not with a problem', async () => {
    const control = new AbortController()
    const { api } = fakeApi(
      (config) =>
        new Promise((_, reject) => config.signal?.addEventListener?.('abort', () => reject(new AxiosError('canceled', 'ERR_CANCELED')))),
    )
    const running = api.call('market.kline', {}, { signal: control.signal })
    control.abort()
    await expect(running).rejects.toBe(control.signal.reason)
  })
})

describe('files', () => {
  const picture = new Blob(['picture'], { type: 'image/png' })
  /** The form that goes out, and progress as the browser would report it. */
  function sending(token: string | undefined = 'secret', answer: object = { code: 1, msg: '', data: { url: '/u/1' } }) {
    const sent: { form: FormData; headers: Record<string, string> }[] = []
    const adapter: AxiosAdapter = async (config) => {
      sent.push({ form: config.data as FormData, headers: config.headers.toJSON() as Record<string, string> })
      for (const loaded of [0, 50, 120]) config.onUploadProgress?.({ loaded, total: 100, bytes: 0, lengthComputable: true })
      config.onUploadProgress?.({ loaded: 5, bytes: 0, lengthComputable: false })
      return { status: 200, statusText: '', headers: {}, config, data: JSON.stringify(answer) }
    }
    return { sent, api: createApi({ baseUrl: '/api', routes, token: () => token, language: () => 'ja', agent: 'a1', adapter }) }
  }
  test('go as a form with token, language and agent, and tell how far they are', async () => {
    const { api, sent } = sending()
    const progress: number[] = []
    const answer = await upload(api, 'common.upload', picture, { purpose: 'proof', onProgress: (fraction) => progress.push(fraction) })
    expect(answer).toEqual({ url: '/u/1' })
    const form = sent[0]!.form
    expect([...form.keys()].sort()).toEqual(['agent_id', 'file', 'lang', 'purpose'])
    expect([form.get('purpose'), form.get('lang'), (form.get('file') as File).size]).toEqual(['proof', 'ja', 7])
    expect(sent[0]?.headers.Authorization).toBe('secret')
    expect(sent[0]?.headers['Content-Type']).toBe('multipart/form-data')
    expect(progress).toEqual([0, 0.5, 1, 0])
  })
  test('of a visitor are not sent', async () => {
    const { api, sent } = sending('')
    await expect(upload(api, 'common.upload', picture)).rejects.toMatchObject({ name: 'unauthorized' })
    expect(sent).toEqual([])
  })
  test('that are refused reject with the reason', async () => {
    const { api } = sending('secret', { code: 4050, msg: 'No', data: null, name: 'file_type_refused', field: 'file' })
    await expect(upload(api, 'common.upload', picture)).rejects.toMatchObject({ name: 'file_type_refused', msg: 'No', field: 'file' })
  })
})

describe('whoever listens', () => {
  const listening = (answer: object) => {
    const reported: unknown[] = []
    const api = createApi({
      baseUrl: '/api',
      routes,
      token: () => 'secret',
      language: () => 'ja',
      agent: 'a1',
      heard: (...what) => reported.push(['heard', ...what]),
      where: () => 'pages/fund/withdraw',
      failed: (problem, secret, from) => reported.push(['failed', problem.code, secret, from]),
      adapter: async (config) => ({ status: 200, statusText: '', headers: {}, config, data: JSON.stringify(answer) }),
    })
    return { api, reported }
  }
  test('hears of answers with the token that they are for', async () => {
    const { api, reported } = listening({ code: 1, msg: '', data: 5 })
    await api.call('wallet.withdraw', {})
    expect(reported).toEqual([['heard', 'wallet.withdraw', 5, 'secret']])
  })
  test('hears of problems once, with the page that the call was sent from', async () => {
    const { api, reported } = listening({ code: 401, msg: 'x', data: null })
    await api.call('wallet.withdraw', {}).catch(() => undefined)
    expect(reported).toEqual([['failed', 401, 'secret', 'pages/fund/withdraw']])
  })
  test('hears nothing of a call that was given up', async () => {
    const { api, reported } = listening({ code: 1, msg: '', data: 5 })
    await api.call('wallet.withdraw', {}, { signal: AbortSignal.abort() }).catch(() => undefined)
    expect(reported).toEqual([])
  })
  test.each([
    ['wallet.withdraw', true],
    ['market.kline', false],
    ['constructor', false],
    ['no.such', false],
  ])('knows that %s is for customers only: %s', (name, only) => expect(listening({}).api.needsUser(name)).toBe(only))
  test.each([
    ['user.editNickname', true],
    ['wallet.withdraw', false],
    ['no.such', false],
  ])('knows that %s changes what the session knows of its user: %s', (name, changes) =>
    expect(listening({}).api.changesSession?.(name)).toBe(changes),
  )
})

describe('the clock', () => {
  /** The header of the answers, and what the clock hears of them, 80 ms after each request. */
  async function heardOf(headers: Record<string, string>, data: unknown = ok.data) {
    const at = { ms: 1_000 }
    const heard: number[][] = []
    const clock = { elapsed: () => at.ms, heard: (...said: number[]) => void heard.push(said) }
    const adapter: AxiosAdapter = async (config) => {
      at.ms += 80
      return { status: 200, statusText: '', headers, config, data: JSON.stringify(data) }
    }
    const api = createApi({ baseUrl: '/api', routes, token: () => 'secret', language: () => 'ja', agent: 'a1', adapter, clock })
    await api.call(Object.keys(routes)[0]!, {}).catch(() => undefined)
    return heard
  }
  test('is set by the time of every answer, refusals too, with how long they took', async () => {
    const headers = { 'x-time': '1790000000123', date: 'Mon, 21 Sep 2026 15:33:20 GMT' }
    expect(await heardOf(headers)).toEqual([[1_790_000_000_123, 80]])
    expect(await heardOf(headers, { code: 4000, msg: 'no', name: 'parameter_error' })).toEqual([[1_790_000_000_123, 80]])
  })
  test('of another server by its date, which is told to the second', async () => {
    expect(await heardOf({ date: 'Mon, 21 Sep 2026 15:33:20 GMT' })).toEqual([[Date.parse('2026-09-21T15:33:20Z'), 80, 1_000]])
  })
  test('not by an answer out of a cache, nor by one without a time', async () => {
    expect(await heardOf({ 'x-time': '1790000000123', age: '60' })).toEqual([])
    expect(await heardOf({})).toEqual([])
  })
})
