import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallProblem } from '#renderer/calls/api.ts'
import { type Access, type AccessOptions, createAccess } from '#renderer/engine/access.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Gate and problems that write down what they are asked, and come when `come` is called. */
function stage({ loggedIn = false } = {}) {
  const log: string[] = []
  const notes = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, what) =>
          (...args: unknown[]) =>
            void log.push(`${name}.${String(what)} ${JSON.stringify(args)}`),
      },
    )
  const made = {
    gate: notes('gate'),
    problems: {
      ...notes('problems'),
      take: (problem: CallProblem, sent: unknown) => void log.push(`take ${problem.code} ${JSON.stringify(sent)}`),
      tell: (name: string) => log.push(`tell ${name}`),
    },
  }
  const loads: { come: () => void; fail: () => void }[] = []
  let token: string | undefined = 'first'
  const options = {
    session: { who: () => ({ loggedIn, level: undefined, asking: false }) },
    match: (path: string) => (path === 'none' ? undefined : { path, route: { screen: 's', ...(path === 'closed' && { auth: true }) } }),
    device: { token: () => token },
    say: (key: string) => key,
  } as unknown as AccessOptions
  const load = () =>
    new Promise<Access>((come, fail) => loads.push({ come: () => come(made as unknown as Access), fail: () => fail(new Error('gone')) }))
  const access = createAccess(options, load)
  const last = async (how: 'come' | 'fail') => {
    loads.at(-1)?.[how]()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ...access, log, loads, last, setToken: (next: string | undefined) => (token = next) }
}

describe('before its code is here', () => {
  test.for([
    ['open', false, 'open'],
    ['none', false, 'open'],
    ['closed', false, 'login'],
    ['closed', true, 'open'],
  ] as const)('page %s, logged in %s: %s, at once and without asking for code', ([path, loggedIn, entry]) => {
    const { gate, loads } = stage({ loggedIn })
    expect(gate.entry(path)).toBe(entry)
    expect(loads).toEqual([])
  })

  test('moves and messages are done once it is here, in the order in which they were asked, and none twice', async () => {
    const { gate, problems, log, loads, last } = stage()
    gate.visited('open', false)
    expect(loads).toEqual([])
    gate.turnAway('closed')
    problems.tell('chunk_load_failed')
    gate.go('/open', true)
    expect(loads.length).toBe(1)
    expect(log).toEqual([])
    await last('come')
    const asked = ['gate.visited ["open",false]', 'gate.turnAway ["closed"]', 'tell chunk_load_failed', 'gate.go ["/open",true]']
    expect(log).toEqual(asked)
    gate.back()
    expect(log).toEqual([...asked, 'gate.back []'])
    expect(loads.length).toBe(1)
  })

  test('code that does not come is asked for again while something waits, and nothing is lost', async () => {
    const { gate, log, loads, last } = stage()
    gate.go('/open', false)
    await last('fail')
    expect(loads.length).toBe(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(loads.length).toBe(2)
    await last('come')
    expect(log).toEqual(['gate.go ["/open",false]'])
  })

  test('fetched ahead in vain, it is not asked for again until somebody needs it', async () => {
    const { load, gate, loads, last } = stage()
    const asked = expect(load()).rejects.toThrow('gone')
    await last('fail')
    await asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loads.length).toBe(1)
    gate.back()
    expect(loads.length).toBe(2)
  })
})

describe('a problem before the code is here', () => {
  test.for([
    [new CallProblem(401, 'unauthorized'), true],
    [new CallProblem(402, 'verification_required'), true],
    [new CallProblem(4000, 'parameter_error'), false],
    [new CallProblem(0, 'network_failed'), false],
    [new Error('another'), false],
  ] as const)('%o is taken: %s', async ([problem, taken]) => {
    const { problems, loads, last, log } = stage()
    expect(problems.take(problem, { secret: 'first' })).toBe(taken)
    expect(loads.length).toBe(taken ? 1 : 0)
    await last('come')
    expect(log.length).toBe(taken ? 1 : 0)
  })

  test('speaks of the token of its own moment, not of one that came while it waited', async () => {
    const { problems, last, log, setToken } = stage()
    problems.take(new CallProblem(401, 'unauthorized'))
    setToken('second')
    await last('come')
    expect(log).toEqual(['take 401 {"secret":"first"}'])
  })

  test('has words at once', () => {
    const { problems, loads } = stage()
    expect(problems.words(new CallProblem(4000, 'parameter_error', 'Too short'))).toBe('Too short')
    expect(problems.words(new CallProblem(4000, 'parameter_error'))).toBe('problem.parameter_error')
    expect(problems.words(new Error('x'))).toBe('problem.internal')
    expect(loads).toEqual([])
  })
})
