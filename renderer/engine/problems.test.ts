import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { account, sessionStage } from '#app/session/session-fixture.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { watchChunks } from '#renderer/engine/chunk-failed.ts'
import { watchFeed } from '#renderer/feed/feed-page.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const ended = () => new CallProblem(401, 'unauthorized', 'Your session has ended')

describe('401', () => {
  test('says what the server says, forgets token and account, leads to the login page after 1200 ms, and back', () => {
    const at = sessionStage({ token: 't', user: account(), at: '/pages/fund/withdraw?currency_id=3' })
    expect(at.engine.problems.take(ended(), { secret: 't' })).toBe(true)
    expect(at.log).toEqual(['toast warn Your session has ended', 'socket'])
    expect(at.shared.map.has('tessera.token') || at.shared.map.has('tessera.user')).toBe(false)
    vi.advanceTimersByTime(1_199)
    expect(at.log).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(at.log.at(-1)).toBe('replace /pages/common/login')
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /pages/fund/withdraw?currency_id=3')
  })
  test('of many calls at once is said once and moves once', () => {
    const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
    for (let i = 0; i < 20; i++) expect(at.engine.problems.take(ended(), { secret: 't' })).toBe(true)
    at.engine.gate.turnAway('pages/fund/withdraw')
    vi.advanceTimersByTime(10_000)
    expect(at.log).toEqual(['toast warn Your session has ended', 'socket', 'replace /pages/common/login'])
  })
  test('told twice of the same problem is told once', () => {
    const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
    const one = ended()
    at.engine.problems.take(one, { secret: 't' })
    vi.advanceTimersByTime(2_000)
    at.engine.session.begin('new')
    at.engine.problems.take(one)
    expect(at.engine.session.root().logged_in).toBe(true)
  })
  test('of a token of before ends nothing', () => {
    const at = sessionStage({ token: 'new', at: '/pages/fund/withdraw' })
    expect(at.engine.problems.take(ended(), { secret: 'old' })).toBe(true)
    vi.advanceTimersByTime(5_000)
    expect(at.log).toEqual([])
    expect(at.engine.session.root().logged_in).toBe(true)
  })
  test('for a visitor leads to the login page without ending anything', () => {
    const at = sessionStage({ at: '/pages/setting/setting' })
    at.engine.problems.take(new CallProblem(401, 'unauthorized'), { secret: undefined })
    vi.advanceTimersByTime(1_200)
    expect(at.log).toEqual(['toast warn problem.unauthorized', 'replace /pages/common/login'])
  })
  test('on the login page stays there', () => {
    const at = sessionStage({ token: 't', at: '/pages/common/login' })
    at.engine.problems.take(ended(), { secret: 't' })
    vi.advanceTimersByTime(5_000)
    expect(at.log).toEqual(['toast warn Your session has ended', 'socket'])
  })
})

test('402 says what the server says and leads to the verification page; the session goes on', () => {
  const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
  for (let i = 0; i < 5; i++) at.engine.problems.take(new CallProblem(402, 'verification_required', 'Verify first'), { secret: 't' })
  vi.advanceTimersByTime(1_200)
  expect(at.log).toEqual(['toast warn Verify first', 'go /pages/setting/real_mark'])
  expect(at.engine.session.root().logged_in).toBe(true)
})

test.each([
  [new CallProblem(402, 'verification_required', 'Verify first'), ['toast warn Verify first']],
  [ended(), ['toast warn Your session has ended', 'socket']],
])('%s of a call whose page was left is told, and moves nobody from an open page', (problem, log) => {
  const at = sessionStage({ token: 't', at: '/pages/market/index' })
  at.engine.problems.take(problem, { secret: 't', from: 'pages/fund/withdraw' })
  vi.advanceTimersByTime(5_000)
  expect(at.log).toEqual(log)
})

describe('every other problem', () => {
  test.each<[unknown, string]>([
    [new CallProblem(4000, 'parameter_error', 'wrong'), 'wrong'],
    [new CallProblem(0, 'network_failed'), 'problem.network_failed'],
    [new CallProblem(4100, 'of_tomorrow', 'said by the server'), 'said by the server'],
    [new TypeError('bug'), 'problem.internal'],
  ])('%s is for its screen to deal with', (problem, words) => {
    const at = sessionStage({ token: 't' })
    expect(at.engine.problems.take(problem)).toBe(false)
    expect(at.engine.problems.words(problem)).toBe(words)
    expect(at.log).toEqual([])
  })
})

describe('modals', () => {
  test('a stream of nonsense is told once, not in a loop', () => {
    const at = sessionStage()
    for (let i = 0; i < 50; i++) at.engine.problems.tell('socket_message_invalid')
    at.later(60_000)
    at.engine.problems.tell('socket_message_invalid')
    expect(at.log).toEqual(['modal engine.socket_message_invalid_title: problem.socket_message_invalid [engine.ok]'])
  })
  test('each problem is told for itself; a chunk that does not load offers to reload, and waits for the answer', async () => {
    const at = sessionStage()
    at.engine.problems.tell('delete_data_failed')
    at.engine.problems.tell('local_data_setting_failed')
    at.engine.problems.tell('chunk_load_failed')
    expect(at.log).toEqual([
      'modal engine.attention: problem.delete_data_failed [engine.ok]',
      'modal engine.attention: problem.local_data_setting_failed [engine.ok]',
      'modal engine.attention: problem.chunk_load_failed [engine.reload]',
    ])
    await vi.runAllTimersAsync()
    expect(at.log.at(-1)).toBe('reload')
  })
})

describe('what the socket and the page tell', () => {
  function watched(options: { online?: boolean; state?: string; token?: string } = {}) {
    vi.stubGlobal('navigator', { onLine: options.online ?? true })
    const at = sessionStage({ at: '/pages/fund/withdraw', ...(options.token !== undefined && { token: options.token }) })
    const heard = new Map<string, (detail: never) => void>()
    const health = { state: options.state ?? 'down' }
    const on = (event: string, run: (detail: never) => void) => heard.set(event, run)
    const feed = { on, onHealth: (run: () => void) => on('health', run), health: () => health }
    const page = { addEventListener: (type: string, run: (event: never) => void) => heard.set(type, run) }
    watchFeed({ feed, problems: at.engine.problems, device: at.engine.device } as never)
    watchChunks(at.engine.problems, page as never)
    return { ...at, health, tell: (event: string, detail: object) => heard.get(event)?.(detail as never) }
  }
  test('a connection that stays away is told with its reason', () => {
    const at = watched()
    at.tell('connect-error', { reason: 'closed 1006' })
    vi.advanceTimersByTime(9_999)
    expect(at.log).toEqual([])
    vi.advanceTimersByTime(1)
    expect(at.log).toEqual(['modal engine.attention: problem.socket_connect_error [engine.ok]'])
  })
  test('a connection that comes back takes its modal away', () => {
    const at = watched()
    const settle = vi.fn()
    at.prompts.push(
      { text: 'problem.socket_connect_error', settle },
      { text: 'problem.chunk_load_failed', settle: () => at.log.push('no') },
    )
    at.tell('health', {})
    expect(settle).not.toHaveBeenCalled()
    at.health.state = 'connected'
    at.tell('health', {})
    expect(settle).toHaveBeenCalledWith(false)
    expect(at.log).toEqual([])
  })
  test('a short blip is not told, and a device without network has its bar', () => {
    const at = watched()
    at.tell('connect-error', { reason: 'x' })
    at.health.state = 'connected'
    vi.advanceTimersByTime(20_000)
    const off = watched({ online: false })
    off.tell('connect-error', { reason: 'x' })
    vi.advanceTimersByTime(20_000)
    expect([at.log, off.log]).toEqual([[], []])
  })
  test('a token that the socket refuses is over', () => {
    const at = watched({ token: 't' })
    at.tell('auth', { error: 'unauthorized' })
    vi.advanceTimersByTime(1_200)
    expect(at.log).toEqual(['toast warn problem.unauthorized', 'socket', 'replace /pages/common/login'])
  })
  test('a server that is busy has refused nothing', () => {
    const at = watched({ token: 't' })
    at.tell('auth', { error: 'busy' })
    vi.advanceTimersByTime(5_000)
    expect(at.engine.session.root().logged_in).toBe(true)
    expect(at.log).toEqual([])
  })
  test('a part of the app that does not load is told', () => {
    const at = watched()
    at.tell('chunk-failed', {})
    expect(at.log).toEqual(['modal engine.attention: problem.chunk_load_failed [engine.reload]'])
  })
})
