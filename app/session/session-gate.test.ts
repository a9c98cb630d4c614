import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { account, sessionStage } from '#app/session/session-fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wait = (ms: number) => vi.advanceTimersByTime(ms)
const loginFirst = 'toast warn engine.login_first'

describe('a closed page', () => {
  test('shows a message at once, redirects after 1200 ms, and is opened after the login with its parameters', () => {
    const at = sessionStage()
    at.engine.gate.go('/pages/fund/withdraw?currency_id=3', false)
    expect(at.log).toEqual([loginFirst])
    wait(1_199)
    expect(at.log).toEqual([loginFirst])
    wait(1)
    expect(at.log).toEqual([loginFirst, 'go /pages/common/login'])
    at.engine.session.begin('t')
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /pages/fund/withdraw?currency_id=3')
  })
  test('is opened after a reload of the login page too', () => {
    const at = sessionStage()
    at.engine.gate.go('/pages/fund/withdraw?currency_id=3', false)
    wait(1_200)
    expect([...at.pocket.values()]).toEqual(['/pages/fund/withdraw?currency_id=3'])
  })
  test('pressed several times shows one message and redirects once, for the page pressed last', () => {
    const at = sessionStage()
    for (const id of [1, 2, 3]) at.engine.gate.go(`/pages/fund/withdraw?currency_id=${id}`, false)
    wait(5_000)
    expect(at.log).toEqual([loginFirst, 'go /pages/common/login'])
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /pages/fund/withdraw?currency_id=3')
  })
  test('opened by address or alias redirects in the same way, and does not stay in the history', () => {
    for (const path of ['pages/fund/withdraw', 'pages/old/withdraw']) {
      const at = sessionStage()
      at.open(`/${path}?currency_id=3`)
      wait(1_200)
      expect(at.log).toEqual([loginFirst, 'replace /pages/common/login'])
      at.engine.gate.back()
      expect(at.log.at(-1)).toBe(`replace /${path}?currency_id=3`)
    }
  })
  test('is open to a customer', () => {
    const at = sessionStage({ token: 't' })
    at.engine.gate.go('/pages/fund/withdraw', false)
    expect(at.log).toEqual(['go /pages/fund/withdraw'])
  })
  test('a visitor who goes elsewhere meanwhile is not redirected to the login', () => {
    const at = sessionStage()
    at.engine.gate.go('/pages/fund/withdraw', false)
    at.engine.gate.go('/pages/setting/setting', false)
    wait(5_000)
    expect(at.log).toEqual([loginFirst, 'go /pages/setting/setting'])
  })
})

test('a closed page of an app without a login page is shut, and nobody is moved', () => {
  const at = sessionStage({ constants: {} })
  expect([at.engine.gate.isShut('/pages/fund/withdraw'), at.engine.gate.isShut('/')]).toEqual([true, false])
  at.open('/pages/fund/withdraw')
  wait(5_000)
  expect(at.log).toEqual([loginFirst])
  expect(sessionStage().engine.gate.isShut('/pages/fund/withdraw')).toBe(false)
})

describe('a page that this installation leaves out', () => {
  test.each(['/pages/game/game', '/pages/old/game?id=1'])('%s: what leads there says so, and nobody is moved', (address) => {
    for (const token of ['t', undefined]) {
      const at = sessionStage(token === undefined ? {} : { token })
      at.engine.gate.go(address, false)
      at.open(address)
      wait(5_000)
      expect(at.log).toEqual(['toast warn engine.off'])
    }
  })
})

describe('a level', () => {
  test.each([
    [0, ['toast warn problem.verification_required', 'go /pages/setting/real_mark']],
    [2, ['go /pages/fund/buy']],
  ])('%i', (level, log) => {
    const at = sessionStage({ token: 't', user: account({ level }) })
    at.engine.gate.go('/pages/fund/buy', false)
    wait(1_200)
    expect(at.log).toEqual(log)
  })
  test('that is not known yet neither opens the page nor redirects', () => {
    const at = sessionStage({ token: 't' })
    at.open('/pages/fund/buy')
    wait(5_000)
    expect(at.engine.gate.entry('pages/fund/buy')).toBe('wait')
    expect(at.log).toEqual([])
  })
})

describe('target of a login', () => {
  test('home, when the login page was opened directly', () => {
    const at = sessionStage({ at: '/pages/common/login' })
    at.engine.gate.back()
    expect(at.log).toEqual(['replace /'])
  })
  test('back to the page where login was pressed', () => {
    const at = sessionStage({ at: '/pages/setting/setting?a=1' })
    at.engine.gate.go('/pages/common/login', false)
    at.engine.gate.go('/pages/common/register', false)
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /pages/setting/setting?a=1')
  })
  test('only once', () => {
    const at = sessionStage({ at: '/pages/setting/setting' })
    at.engine.gate.go('/pages/common/login', false)
    at.engine.gate.back()
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /')
  })
  const turns: [string, string, boolean][] = [
    ['continues to a tab', '/', false],
    ['goes back', '/pages/setting/setting', true],
  ]
  test.each(turns)('home for a visitor who %s', (_name, to, popped) => {
    const at = sessionStage()
    at.engine.gate.go('/pages/fund/withdraw', false)
    wait(1_200)
    at.open(to, popped)
    at.open('/pages/common/login')
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /')
  })
  const foreign = ['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/pages/nowhere', '/pages/common/login', '/\u0000', '']
  test.each(foreign)('never to %j', (kept) => {
    const at = sessionStage()
    at.open(kept)
    at.engine.gate.toLogin('x')
    at.engine.gate.back()
    expect(at.log.at(-1)).toBe('replace /')
  })
})

describe('logging out', () => {
  test('on a closed page opens home without asking for a login', () => {
    const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
    at.engine.gate.leave()
    at.engine.session.end()
    at.engine.gate.turnAway('pages/fund/withdraw')
    wait(5_000)
    expect(at.log).toEqual(['socket', 'replace /'])
  })
  test('goes to the target of its action, and nowhere else', () => {
    const at = sessionStage({ token: 't', at: '/pages/fund/withdraw' })
    at.engine.gate.leave()
    at.engine.session.end()
    at.engine.gate.go('/pages/setting/setting', true)
    wait(5_000)
    expect(at.log).toEqual(['socket', 'replace /pages/setting/setting'])
  })
})
