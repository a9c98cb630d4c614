import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from '#server-kit/ops/every.ts'
import { createLog } from '#server-kit/ops/log.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
beforeEach(() => void lines.splice(0))

/** A job whose runs end on request. */
function stage(ms = 100, registry?: Registry) {
  const ends: { done: () => void; fail: (error: Error) => void }[] = []
  const work = vi.fn(() => new Promise<void>((done, fail) => void ends.push({ done, fail })))
  return { work, ends, job: every(ms, { name: 'sweep', work, log, registry }) }
}

test('runs in its interval, first after it, and not again while a run is under way', async () => {
  const { work, ends, job } = stage()
  await vi.advanceTimersByTimeAsync(99)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(301)
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]!.done()
  await vi.advanceTimersByTimeAsync(100)
  expect(work).toHaveBeenCalledTimes(2)
  ends[1]!.done()
  await job.stop()
})

test('logs a failure with the name of the job and goes on', async () => {
  const { work, ends, job } = stage()
  await vi.advanceTimersByTimeAsync(100)
  ends[0]!.fail(new Error('no database'))
  await vi.advanceTimersByTimeAsync(100)
  expect(lines).toMatchObject([{ level: 50, job: 'sweep', err: { message: 'no database' } }])
  expect(work).toHaveBeenCalledTimes(2)
  ends[1]!.done()
  await job.stop()
})

test('logs a job that throws before its first await', async () => {
  const job = every(0, {
    name: 'look',
    log,
    work() {
      throw new Error('no folder')
    },
  })
  await job.run()
  await job.run()
  expect(lines).toMatchObject([{ job: 'look' }, { job: 'look' }])
})

test('run runs now, or once more after the run that is under way, for all who ask meanwhile', async () => {
  const { work, ends, job } = stage(0)
  const ended: string[] = []
  const first = job.run().then(() => ended.push('first'))
  const both = Promise.all(['second', 'third'].map((name) => job.run().then(() => ended.push(name))))
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]!.done()
  await first
  await vi.advanceTimersByTimeAsync(0)
  expect([work.mock.calls.length, ended]).toEqual([2, ['first']])
  ends[1]!.done()
  await both
  void job.run()
  expect(work).toHaveBeenCalledTimes(3)
  ends[2]!.done()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(work).toHaveBeenCalledTimes(3)
})

test('stop ends the interval and waits for the run that is under way, whose failure is no news', async () => {
  const { work, ends, job } = stage()
  await vi.advanceTimersByTimeAsync(100)
  const stopped = vi.fn()
  const stopping = job.stop().then(stopped)
  await vi.advanceTimersByTimeAsync(500)
  expect(stopped).not.toHaveBeenCalled()
  ends[0]!.fail(new Error('the database is closing'))
  await stopping
  await vi.advanceTimersByTimeAsync(500)
  expect([work.mock.calls.length, lines]).toEqual([1, []])
})

test('the metric tells when each job last succeeded', async () => {
  const registry = new Registry()
  const [one, other] = [stage(100, registry), every(0, { name: 'other', work: async () => {}, log, registry })]
  await vi.advanceTimersByTimeAsync(100)
  one.ends[0]!.fail(new Error('no database'))
  await other.run()
  const text = () => registry.metrics()
  expect(await text()).toContain('tessera_job_last_success_seconds{job="other"} 1000')
  expect(await text()).not.toContain('job="sweep"')
  await vi.advanceTimersByTimeAsync(5_000)
  one.ends[1]!.done()
  await one.job.stop()
  expect(await text()).toContain('tessera_job_last_success_seconds{job="sweep"} 1005')
})
