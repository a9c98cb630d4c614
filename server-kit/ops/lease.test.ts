import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLease, type LeaseStore } from '#server-kit/ops/lease.ts'
import { createLog } from '#server-kit/ops/log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A lease of a second whose job takes `beginMs` to begin, in a store that gives it away when the test says so. */
function slowJob(beginMs: number) {
  const events: string[] = []
  const store = { until: 0, gone: false }
  const lease = createLease({
    store: {
      async take(_holder, lengthMs) {
        if (store.gone) return false
        store.until = Date.now() + lengthMs
        return true
      },
      async free() {
        events.push('given back')
      },
    },
    does: 'counts',
    holder: 'a',
    log: createLog('silent'),
    lengthMs: 1_000,
    renewEveryMs: 300,
    async onTaken() {
      events.push('reads')
      await new Promise((done) => setTimeout(done, beginMs))
      events.push('begins')
    },
    onLost: () => events.push('ends'),
  })
  return { lease, events, store }
}

test('a lease is renewed while its job begins, however long that takes', async () => {
  const { lease, events, store } = slowJob(5_000)
  const started = lease.start()
  await vi.advanceTimersByTimeAsync(4_900)
  expect([lease.held(), store.until > Date.now()]).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(5_000)
  await started
  expect([lease.held(), events]).toEqual([true, ['reads', 'begins']])
  await lease.stop()
  expect(events).toEqual(['reads', 'begins', 'ends', 'given back'])
})

test('a lease that another node took while the job began ends the job at once', async () => {
  const { lease, events, store } = slowJob(800)
  const started = lease.start()
  await vi.advanceTimersByTimeAsync(100)
  store.gone = true
  await vi.advanceTimersByTimeAsync(1_000)
  await started
  expect([lease.held(), events]).toEqual([false, ['reads', 'begins', 'ends']])
  store.gone = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect([lease.held(), events.slice(3)]).toEqual([true, ['reads', 'begins']])
  await lease.stop()
})

test('a node that stops while the job begins ends it before it gives the lease back', async () => {
  const { lease, events } = slowJob(800)
  const started = lease.start()
  await vi.advanceTimersByTimeAsync(100)
  const stopped = lease.stop()
  await vi.advanceTimersByTimeAsync(800)
  await Promise.all([started, stopped])
  expect([lease.held(), events]).toEqual([false, ['reads', 'begins', 'ends', 'given back']])
})

test('another node takes over within four seconds of a kill', async () => {
  const row = { holder: '', until: 0 }
  const events: string[] = []
  const store: LeaseStore = {
    async take(holder, lengthMs) {
      if (row.holder !== holder && row.until >= Date.now()) return false
      Object.assign(row, { holder, until: Date.now() + lengthMs })
      return true
    },
    free: async () => undefined,
  }
  const node = (holder: string, way = store) =>
    createLease({
      store: way,
      does: 'counts',
      holder,
      log: createLog('silent'),
      onTaken: async () => void events.push(`${holder} at ${Date.now() - began}`),
      onLost: () => events.push(`${holder} ends`),
    })
  // A killed node sends nothing more.
  let killed = false
  const first = node('a', { ...store, take: (...args) => (killed ? new Promise(() => {}) : store.take(...args)) })
  const second = node('b')
  let began = Date.now()
  await Promise.all([first.start(), second.start()])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(events).toEqual(['a at 0'])
  killed = true
  began = Date.now()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(second.held()).toBe(true)
  // The one that hangs has stopped before, by its own clock.
  expect(events[1]).toBe('a ends')
  expect(Number(events[2]?.split(' at ')[1])).toBeLessThanOrEqual(3_700)
  await second.stop()
})
