import { afterEach, describe, expect, test, vi } from 'vitest'
import { favouritesOf } from '#app/session/favourites.ts'
import { account, SharedStorage, sessionStage } from '#app/session/session-fixture.ts'
import { login, logout } from '#app/session/session-flow.ts'
import { CallProblem } from '#renderer/calls/api.ts'

afterEach(() => void vi.useRealTimers())
const settled = async () => {
  for (let i = 0; i < 40; i++) await new Promise((done) => setImmediate(done))
}

/** A device with favourites, and an account with a list of its own. */
function stage(own: string[], has: string[], shared = new SharedStorage()) {
  shared.map.set('tessera.favourites', JSON.stringify(own))
  const server = { list: [...has], down: false }
  const reach = () => {
    if (server.down) throw new CallProblem(0, 'network_failed')
  }
  const answers = {
    'user.getOptionalList': () => {
      reach()
      return { list: server.list.map((symbol) => ({ symbol })) }
    },
    'user.addOptional': ({ symbol }: Record<string, unknown>) => {
      reach()
      if (symbol === 'BAD') throw new CallProblem(4301, 'symbol_unknown', 'No such market')
      if (!server.list.includes(String(symbol))) server.list.push(String(symbol))
      return { symbols: [...server.list] }
    },
    'user.delOptional': ({ symbol }: Record<string, unknown>) => {
      reach()
      server.list = server.list.filter((one) => one !== symbol)
      return { symbols: [...server.list] }
    },
  }
  const at = sessionStage({ shared, answers })
  const shown = () => at.engine.device.get('favourites')
  const press = (symbol: string) => {
    const now = shown() as string[]
    at.engine.device.set('favourites', now.includes(symbol) ? now.filter((one) => one !== symbol) : [symbol, ...now])
  }
  const sent = () =>
    at.calls.filter(({ name }) => /(?:add|del)Optional/.test(name)).map(({ name, args }) => `${name.slice(5, 8)} ${args.symbol}`)
  return { ...at, server, shown, press, sent }
}

test('a login adds the favourites of the device to the account and shows the account’s list', async () => {
  const at = stage(['A', 'B'], ['B', 'C'])
  await login(at.engine, 't')
  await settled()
  expect(at.server.list).toEqual(['B', 'C', 'A'])
  expect(at.shown()).toEqual(['B', 'C', 'A'])
  expect(at.sent()).toEqual(['add A'])
})

test('each change of a customer is sent to the account once', async () => {
  const at = stage([], ['A'])
  await login(at.engine, 't')
  await settled()
  at.press('X')
  at.press('A')
  await settled()
  expect(at.server.list).toEqual(['X'])
  expect(at.sent().sort()).toEqual(['add X', 'del A'])
})

test('a list requested before a change was sent does not revert the change', async () => {
  const at = stage([], ['A'])
  await login(at.engine, 't')
  await settled()
  let answer = () => {}
  at.answers['user.getOptionalList'] = () => new Promise((done) => (answer = () => done({ list: [{ symbol: 'A' }] })))
  const met = favouritesOf(at.engine).meet()
  await settled()
  at.press('X')
  await settled()
  answer()
  await met
  await settled()
  expect(at.server.list).toEqual(['A', 'X'])
  expect(at.shown()).toEqual(['A', 'X'])
})

test('a change of a visitor is not sent', async () => {
  const at = stage(['A'], [])
  at.press('X')
  await settled()
  expect(at.calls).toEqual([])
})

test('changes made offline are sent when the network is back', async () => {
  vi.useFakeTimers()
  const at = stage([], ['A'])
  await login(at.engine, 't')
  await vi.advanceTimersByTimeAsync(1)
  at.server.down = true
  at.press('X')
  at.press('Y')
  at.press('X')
  await vi.advanceTimersByTimeAsync(1)
  expect(at.shown()).toEqual(['Y', 'A'])
  at.server.down = false
  await vi.advanceTimersByTimeAsync(31_000)
  expect(at.server.list).toEqual(['A', 'Y'])
  expect(at.server.list).not.toContain('X')
  expect(at.log).toEqual(['socket'])
})

test('a list that did not come at the login is asked for again', async () => {
  vi.useFakeTimers()
  const at = stage(['B'], ['A'])
  at.server.down = true
  await login(at.engine, 't')
  await vi.advanceTimersByTimeAsync(1)
  at.press('X')
  at.server.down = false
  await vi.advanceTimersByTimeAsync(31_000)
  expect(at.server.list.toSorted()).toEqual(['A', 'B', 'X'])
  expect([...(at.shown() as string[])].sort()).toEqual(['A', 'B', 'X'])
})

test('changes not sent before a reload are sent after it', async () => {
  const at = stage([], ['A'])
  await login(at.engine, 't')
  await settled()
  at.server.down = true
  at.press('X')
  await settled()
  at.server.down = false
  const again = sessionStage({ shared: at.shared, answers: at.answers })
  again.engine.session.start()
  await settled()
  expect(at.server.list).toEqual(['A', 'X'])
})

test('a change that the account refuses is reverted, and the reason is shown', async () => {
  const at = stage([], ['A'])
  await login(at.engine, 't')
  await settled()
  at.press('BAD')
  await settled()
  expect(at.shown()).toEqual(['A'])
  expect(at.log).toEqual(['socket', 'toast error No such market'])
})

test('clearing the device does not clear the account', async () => {
  const at = stage([], ['A', 'B'])
  await login(at.engine, 't')
  await settled()
  at.engine.device.set('favourites', [])
  await settled()
  expect(at.server.list).toEqual(['A', 'B'])
  expect(at.shown()).toEqual(['A', 'B'])
})

describe('after the session', () => {
  test('the device has its own list again, and the next customer gets nothing of the previous one', async () => {
    const at = stage(['O'], ['A'])
    await login(at.engine, 'ann')
    await settled()
    logout(at.engine)
    await settled()
    expect(at.shown()).toEqual(['O'])
    at.press('N')
    at.server.list = ['B']
    at.answers['user.info'] = () => account({ uid: 8 })
    await login(at.engine, 'bo')
    await settled()
    expect(at.server.list).toEqual(['B', 'N'])
    expect(at.shown()).toEqual(['B', 'N'])
  })
  test('when the server ended the session, unsent changes are sent at the next login', async () => {
    const at = stage([], ['A'])
    await login(at.engine, 't')
    await settled()
    at.server.down = true
    at.press('X')
    await settled()
    at.engine.problems.take(new CallProblem(401, 'unauthorized', 'over'), { secret: 't' })
    expect(at.shown()).toEqual([])
    at.server.down = false
    await login(at.engine, 'u')
    await settled()
    expect(at.server.list).toEqual(['A', 'X'])
  })
})

test('two tabs send a change once', async () => {
  const shared = new SharedStorage()
  const a = stage([], ['A'], shared)
  const b = sessionStage({ shared, answers: a.answers })
  await login(a.engine, 't')
  await settled()
  a.press('X')
  await settled()
  expect(a.server.list).toEqual(['A', 'X'])
  expect(b.engine.device.get('favourites')).toEqual(a.shown())
})
