import { createHash, timingSafeEqual } from 'node:crypto'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Request, RequestHandler } from 'express'
import { Gauge, Histogram, Registry } from 'prom-client'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { isLocalRequest } from '#server-kit/http/local-request.ts'

/** Metrics of one server. Each server has its own registry, to which modules add their metrics. */
export interface Metrics {
  readonly registry: Registry
  /** Measures every answer by call and outcome. */
  readonly timing: RequestHandler
  /** Answers /metrics for requests with the token; without a configured token, for requests from this machine. */
  readonly page: RequestHandler
  start(): void
  stop(): void
}

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const nsPerSecond = 1e9

/** Compares two texts in constant time. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** With a token configured, local requests need it too: a proxy on this machine looks like a local program. */
function mayRead(req: Request, token: string | undefined): boolean {
  return token === undefined ? isLocalRequest(req) : isSame(req.headers.authorization ?? '', `Bearer ${token}`)
}

export function createMetrics(database: Database, token: string | undefined, registry = new Registry()): Metrics {
  const registers = [registry]
  const durations = new Histogram({
    name: 'tessera_http_seconds',
    help: 'Time to answer, by call and outcome',
    labelNames: ['call', 'outcome'],
    buckets: bucketsSeconds,
    registers,
  })
  let delay: IntervalHistogram | undefined
  new Gauge({
    name: 'tessera_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop since the last look, 99th percentile',
    registers,
    collect() {
      this.set((delay?.percentile(99) ?? 0) / nsPerSecond)
      delay?.reset()
    },
  })
  new Gauge({
    name: 'tessera_db_waiting',
    help: 'Queries and transactions that wait for a connection',
    registers,
    collect() {
      this.set(database.waiting())
    },
  })
  new Gauge({
    name: 'tessera_memory_bytes',
    help: 'Memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  return {
    registry,
    timing(_req, res, next) {
      const began = process.hrtime.bigint()
      res.once('finish', () => {
        const { call, problem } = res.locals as { call?: string; problem?: string }
        durations.observe({ call: call ?? 'other', outcome: problem ?? 'ok' }, Number(process.hrtime.bigint() - began) / nsPerSecond)
      })
      next()
    },
    async page(req, res) {
      if (!mayRead(req, token)) throw new ApiProblem('forbidden')
      res.setHeader('Content-Type', registry.contentType)
      res.end(await registry.metrics())
    },
    start() {
      delay = monitorEventLoopDelay({ resolution: 20 })
      delay.enable()
    },
    stop() {
      delay?.disable()
      registry.clear()
    },
  }
}

/** Adds the counters of a part as one metric with a label: tessera_feed{figure="clients"}. */
export function addMetrics(registry: Registry, name: string, help: string, counts: () => object): void {
  new Gauge({
    name,
    help,
    labelNames: ['figure'],
    registers: [registry],
    collect() {
      for (const [figure, value] of Object.entries(counts())) if (typeof value === 'number') this.set({ figure }, value)
    },
  })
}
