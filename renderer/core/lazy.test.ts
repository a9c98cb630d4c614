import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lazy } from '#renderer/core/lazy.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Something that comes, or fails, when the test says so. */
function stage() {
  const loads: { come: () => void; fail: () => void }[] = []
  const value = {}
  const subject = lazy(
    () => new Promise<object>((come, fail) => loads.push({ come: () => come(value), fail: () => fail(new Error('gone')) })),
  )
  const settle = async (how: 'come' | 'fail') => {
    loads.at(-1)?.[how]()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { ...subject, loads, value, settle }
}

test('is loaded once for all who ask, and is there at once from then on', async () => {
  const { load, ready, loads, value, settle } = stage()
  expect([ready(), loads.length]).toEqual([undefined, 0])
  const both = Promise.all([load(), load()])
  await settle('come')
  expect(await both).toEqual([value, value])
  expect(await load()).toBe(value)
  expect([ready() === value, loads.length]).toEqual([true, 1])
})

test('a load that failed is told to who asked, and is tried again by the next one alone', async () => {
  const { load, ready, loads, settle } = stage()
  const asked = expect(load()).rejects.toThrow('gone')
  await settle('fail')
  await asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect([ready(), loads.length]).toEqual([undefined, 1])
  const next = load()
  await settle('come')
  await next
  expect(loads.length).toBe(2)
})

describe('who waits', () => {
  test('is served in the order of asking, and at once when it is loaded', async () => {
    const { whenReady, settle } = stage()
    const log: string[] = []
    whenReady(() => log.push('first'), false)
    whenReady(() => log.push('second'))
    expect(log).toEqual([])
    await settle('come')
    whenReady(() => log.push('third'))
    expect(log).toEqual(['first', 'second', 'third'])
  })
  test('begins the load, unless it leaves that to another', () => {
    const { whenReady, loads } = stage()
    whenReady(() => undefined, false)
    expect(loads.length).toBe(0)
    whenReady(() => undefined)
    expect(loads.length).toBe(1)
  })
  test('is not served after it stopped waiting', async () => {
    const { whenReady, settle } = stage()
    const use = vi.fn()
    whenReady(use)()
    await settle('come')
    expect(use).not.toHaveBeenCalled()
  })
  test('has the load tried again every five seconds', async () => {
    const { whenReady, loads, settle } = stage()
    const use = vi.fn()
    whenReady(use)
    await settle('fail')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(loads.length).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(loads.length).toBe(2)
    await settle('come')
    expect(use).toHaveBeenCalledTimes(1)
  })
})
