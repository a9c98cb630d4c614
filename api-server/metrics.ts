import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Request, RequestHandler } from 'express'
import { Gauge, Histogram, Registry } from 'prom-client'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db.ts'

/** Figures of one server. Each server has a registry of its own; modules add theirs to it. */
export interface Metrics {
  readonly registry: Registry
  /** Times every answer by call and outcome. */
  readonly timing: RequestHandler
  /** Answers /metrics: to this machine, and to whoever has the token. */
  readonly page: RequestHandler
  start(): void
  stop(): void
}

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const nsPerSecond = 1e9

const isLoopback = (address: string | undefined) => address === '::1' || address?.startsWith('127.') || address?.startsWith('::ffff:127.')

/** A proxy on this machine speaks for others, so a forwarded request is not taken for a local one. */
function mayRead(req: Request, token: string | undefined): boolean {
  const forwarded = req.headers['x-forwarded-for'] !== undefined || req.headers.forwarded !== undefined
  if (isLoopback(req.socket.remoteAddress) && !forwarded) return true
  return token !== undefined && req.headers.authorization === `Bearer ${token}`
}

export function createMetrics(database: Database, token: string | undefined): Metrics {
  const registry = new Registry()
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
