import { Gauge, type Registry } from 'prom-client'
import type { Log } from '#server-kit/ops/log.ts'

export interface Job {
  /** Label of the metric, and the name of the job in the log. */
  name: string
  work: () => Promise<unknown>
  log: Log
  /** Gets `tessera_job_last_success_seconds{job}`; without one nothing is measured. */
  registry?: Registry | undefined
}

/** A job of a part of the server, which runs as long as the server does. */
export interface PlannedJob {
  /** Label of the metric, and the name of the job in the log. */
  readonly name: string
  readonly everyMs: number
  work(): Promise<unknown>
  /** It also runs at the start, which does not wait for it. */
  readonly atStart?: boolean
}

export interface RepeatedJob {
  /**
   * Runs the job. A run that is under way may have read what has changed since, so it is waited for, and another one follows it, one for all who
   * ask meanwhile. Never throws: a failure is logged.
   */
  run(): Promise<void>
  /** Ends the interval and waits for the runs that are under way or asked for. */
  stop(): Promise<void>
}

const metricName = 'tessera_job_last_success_seconds'

/** The metric of all jobs of one registry. */
function lastSuccessOf(registry: Registry): Gauge<'job'> {
  const known = registry.getSingleMetric(metricName) as Gauge<'job'> | undefined
  return (
    known ??
    new Gauge({ name: metricName, help: 'Last run of a job without an error, in seconds UTC', labelNames: ['job'], registers: [registry] })
  )
}

/**
 * Runs a job every `ms` milliseconds, first after `ms`, and never twice at once. The interval keeps no process alive. A run that fails is
 * logged, and the next one comes in its turn.
 * @param ms 0 for a job that runs only when `run` is called
 */
export function every(ms: number, { name, work, log, registry }: Job): RepeatedJob {
  const lastSuccess = registry && lastSuccessOf(registry)
  let underWay: Promise<void> | undefined
  let following: Promise<void> | undefined
  let stopped = false

  async function once(): Promise<void> {
    try {
      await work()
      lastSuccess?.set({ job: name }, Math.floor(Date.now() / 1_000))
    } catch (error) {
      // A connection that a server closes while it stops may make a running job fail.
      log[stopped ? 'debug' : 'error']({ err: error, job: name }, 'a job failed; it runs again after its interval')
    }
  }
  const begin = () => {
    underWay = once().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  const timer = ms > 0 ? setInterval(() => void (underWay ?? begin()), ms).unref() : undefined

  return {
    run() {
      if (!underWay) return begin()
      following ??= underWay.then(() => {
        following = undefined
        return stopped ? undefined : (underWay ?? begin())
      })
      return following
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await (following ?? underWay)
    },
  }
}
