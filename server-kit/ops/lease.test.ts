import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLease } from '#server-kit/ops/lease.ts'
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
    ...{ does: 'counts', holder: 'a', log: createLog('silent'), lengthMs: 1_000, renewEveryMs: 300 },
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
