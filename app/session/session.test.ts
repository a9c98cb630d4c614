import { QueryObserver } from '@tanstack/query-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { account, SharedStorage, sessionStage } from '#app/session/session-fixture.ts'
import { loadUser, login, logout } from '#app/session/session-flow.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { draftsOf } from '#renderer/forms/drafts.ts'

afterEach(() => void vi.useRealTimers())
/** Waits until all pending work is done. */
const settled = async () => {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
}
const kept = (at: ReturnType<typeof sessionStage>, name: string) => at.shared.map.get(`tessera.${name}`)

describe('the account of the session', () => {
  test('nobody', () => {
    const at = sessionStage()
    expect(at.engine.session.root()).toEqual({ logged_in: false, state: 'visitor', user: undefined, uid: '', kyc: 0 })
  })
  test('a warm start shows the stored account before any answer', () => {
    const at = sessionStage({ token: 't', user: account({ level: 1 }) })
    expect(at.engine.session.root()).toMatchObject({ logged_in: true, state: 'checking', uid: '7', kyc: 1, user: { nickname: 'Ann' } })
    expect(at.calls).toEqual([])
  })
  test('the device knows the segment: of a session from before, of another level, after the end, and of the next session', async () => {
    const at = sessionStage({ token: 't', user: account({ level: 1 }), answers: { 'user.info': () => account({ level: 2 }) } })
    expect(kept(at, 'segment')).toBe('1.1')
    await loadUser(at.engine)
    expect(kept(at, 'segment')).toBe('1.2')
    at.engine.session.end()
    expect(kept(at, 'segment')).toBeUndefined()
    at.engine.session.begin('u')
    expect(kept(at, 'segment')).toBe('1.0')
    expect(kept(sessionStage(), 'segment')).toBeUndefined()
  })
  test('a stored account without a token is ignored', () => {
    expect(sessionStage({ user: account() }).engine.session.root().user).toBeUndefined()
  })
  test.each(['{', '"x"', '[]', '{"uid":"7"}'])('an invalid stored account (%s) is ignored', (text) => {
    const shared = new SharedStorage()
    shared.map.set('tessera.user', text)
    expect(sessionStage({ shared, token: 't' }).engine.session.root()).toMatchObject({ state: 'checking', user: undefined })
  })
  test('the answer of the server replaces the stored account, and notifies readers of changed members only', async () => {
    const at = sessionStage({ token: 't', user: account(), answers: { 'user.info': () => account({ level: 2 }) } })
    await loadUser(at.engine)
    expect(at.engine.session.root()).toMatchObject({ state: 'customer', kyc: 2 })
    expect(at.woken).toEqual(['state', 'user', 'kyc'])
    const before = at.engine.session.root().user
    at.woken.length = 0
    await loadUser(at.engine)
    expect(at.woken).toEqual([])
    expect(at.engine.session.root().user).toBe(before)
    expect(JSON.parse(kept(at, 'user') ?? '')).toEqual(account({ level: 2 }))
  })
  test('a call that changes the account makes it load again', async () => {
    const at = sessionStage({ token: 't', answers: { 'user.editNickname': () => ({ nickname: 'Bo', signature: '' }) } })
    at.engine.session.start()
    await settled()
    at.answers['user.info'] = () => account({ nickname: 'Bo' })
    await at.engine.api.call('user.editNickname', {})
    await settled()
    expect(at.engine.session.root().user?.nickname).toBe('Bo')
  })
  test('when the account changes while it is loading, it is loaded once more, and the last answer counts', async () => {
    const change = () => ({ nickname: '', signature: '' })
    const at = sessionStage({ token: 't', answers: { 'user.editNickname': change } })
    const waiting: ((user: unknown) => void)[] = []
    at.answers['user.info'] = () => new Promise((done) => waiting.push(done))
    at.engine.session.start()
    await settled()
    for (let i = 0; i < 2; i++) await at.engine.api.call('user.editNickname', {})
    await settled()
    expect(waiting).toHaveLength(1)
    waiting[0]!(account({ nickname: 'Before' }))
    await settled()
    expect(waiting).toHaveLength(2)
    waiting[1]!(account({ nickname: 'After' }))
    await settled()
    expect(at.engine.session.root().user?.nickname).toBe('After')
    expect(waiting).toHaveLength(2)
  })
  test('an answer for an earlier token is ignored', async () => {
    const at = sessionStage({ token: 'old' })
    let answer: (user: unknown) => void = () => undefined
    at.answers['user.info'] = () => new Promise((done) => (answer = done))
    const first = loadUser(at.engine)
    at.answers['user.info'] = () => account({ uid: 8 })
    await login(at.engine, 'new')
    answer(account({ uid: 7 }))
    await first
    expect(at.engine.session.root().uid).toBe('8')
  })
  test('when the account cannot be loaded, it is tried again and the session stays', async () => {
    vi.useFakeTimers()
    const at = sessionStage({ token: 't', answers: { 'user.info': () => Promise.reject(new CallProblem(0, 'network_failed')) } })
    await loadUser(at.engine)
    expect(at.engine.session.root()).toMatchObject({ logged_in: true, state: 'checking' })
    expect(at.engine.session.who().asking).toBe(false)
    at.answers['user.info'] = () => account()
    await vi.advanceTimersByTimeAsync(31_000)
    expect(at.engine.session.root().state).toBe('customer')
    expect(at.log).toEqual([])
  })
})

describe('logging in', () => {
  test('stores the token, loads the account, and sends the token to the socket', async () => {
    const at = sessionStage()
    expect(await login(at.engine, 't')).toBe(true)
    expect(at.engine.session.root()).toMatchObject({ logged_in: true, state: 'customer', uid: '7' })
    expect(kept(at, 'token')).toBe('t')
    expect(at.log).toEqual(['socket'])
    expect(at.names().filter((name) => name === 'user.info')).toHaveLength(1)
  })
  test.each(['', ' ', 'a b', 'ü', 'x'.repeat(600)])('%j is not a token', async (token) => {
    const at = sessionStage()
    expect(await login(at.engine, token)).toBe(false)
    expect(at.engine.session.root().logged_in).toBe(false)
    expect(at.calls).toEqual([])
  })
  test('with a token that is refused at once has not worked', async () => {
    const at = sessionStage({ answers: { 'user.info': () => Promise.reject(new CallProblem(401, 'unauthorized', 'Ended')) } })
    expect(await login(at.engine, 't')).toBe(false)
    expect(kept(at, 'token')).toBeUndefined()
  })
})

describe('logging out', () => {
  test('removes token and account at once, and sends the ended token to the server', async () => {
    const at = sessionStage({ token: 't', user: account(), answers: { 'user.logout': () => new Promise(() => undefined) } })
    logout(at.engine)
    expect(at.engine.session.root()).toEqual({ logged_in: false, state: 'visitor', user: undefined, uid: '', kyc: 0 })
    expect([kept(at, 'token'), kept(at, 'user')]).toEqual([undefined, undefined])
    expect(at.calls).toEqual([{ name: 'user.logout', args: {}, token: 't' }])
  })
  test('removes entered values; a session ended by the server keeps them', async () => {
    const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
    const drafts = draftsOf(at.engine)
    drafts.write('7/withdraw?', { amount: ['decimal', '5'] })
    at.engine.problems.take(new CallProblem(401, 'unauthorized', 'over'), { secret: 't' })
    expect(drafts.read('7/withdraw?')).toEqual({ amount: ['decimal', '5'] })
    await login(at.engine, 'u')
    logout(at.engine)
    expect(drafts.read('7/withdraw?')).toEqual({})
  })
  test.each([401, 0])('works without a message when the server answers %i', async (code) => {
    const at = sessionStage({ token: 't', answers: { 'user.logout': () => Promise.reject(new CallProblem(code, 'x', 'no')) } })
    logout(at.engine)
    await settled()
    expect(at.log).toEqual(['socket'])
  })
})

describe('data loaded for a customer', () => {
  const load = (at: ReturnType<typeof sessionStage>, key: string, enabled: () => boolean = () => true) => {
    const observer = new QueryObserver(at.engine.queries, {
      queryKey: [key, {}, 'en'],
      enabled,
      queryFn: () => at.engine.api.call(key, {}),
    })
    observer.subscribe(() => undefined)
    return observer
  }
  test('is removed with the session; public data stays', async () => {
    const at = sessionStage({ token: 't', answers: { 'wallet.list': () => ({ mine: 1 }), 'market.list': () => ({ all: 1 }) } })
    const [mine, all] = [load(at, 'wallet.list', () => at.engine.session.mayCall('wallet.list')), load(at, 'market.list')]
    await settled()
    expect([mine.getCurrentResult().data, all.getCurrentResult().data]).toEqual([{ mine: 1 }, { all: 1 }])
    at.engine.session.end()
    await settled()
    expect([mine.getCurrentResult().data, all.getCurrentResult().data]).toEqual([undefined, { all: 1 }])
    expect(at.names().filter((name) => name === 'wallet.list')).toHaveLength(1)
  })
  test('never reaches the next customer, even when it arrives late', async () => {
    const at = sessionStage({ token: 'ann' })
    let late: (value: unknown) => void = () => undefined
    at.answers['wallet.list'] = () => new Promise((done) => (late = done))
    const mine = load(at, 'wallet.list')
    await settled()
    at.answers['wallet.list'] = () => ({ of: 'bo' })
    await login(at.engine, 'bo')
    late({ of: 'ann' })
    await settled()
    expect(mine.getCurrentResult().data).toEqual({ of: 'bo' })
  })
})

describe('two tabs', () => {
  test('a login in one tab logs in the other, and so does a logout', async () => {
    const shared = new SharedStorage()
    const [a, b] = [sessionStage({ shared }), sessionStage({ shared })]
    b.engine.session.start()
    await login(a.engine, 't')
    await settled()
    expect(b.engine.session.root()).toMatchObject({ logged_in: true, state: 'customer', uid: '7' })
    logout(a.engine)
    await settled()
    expect(b.engine.session.root()).toMatchObject({ logged_in: false, user: undefined })
    expect(b.names()).not.toContain('user.logout')
    expect(b.log).toEqual(['socket', 'socket'])
  })
  test('another customer in one tab replaces the former one in the other', async () => {
    const shared = new SharedStorage()
    const a = sessionStage({ shared, token: 'ann', user: account() })
    const b = sessionStage({ shared })
    const seen: (string | undefined)[] = []
    b.engine.device.onChange('token', () => seen.push(b.engine.session.root().uid))
    a.answers['user.info'] = b.answers['user.info'] = () => account({ uid: 8 })
    await login(a.engine, 'bo')
    await settled()
    expect(seen).toEqual([''])
    expect(b.engine.session.root().uid).toBe('8')
  })
})
