import type { Request, RequestHandler, Response } from 'express'
import * as z from 'zod'
import { letIn } from '#api-server/desk/gate.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Bus } from '#server-kit/bus.ts'
import type { Log } from '#server-kit/log.ts'
import type { OperatorGate } from '#server-kit/operator-gate.ts'

/** How much waits in each queue, as desk.counts answers it. */
export interface Counts {
  recharges: number
  withdrawals: number
  verifications: number
  to_send: number
}

export interface DeskStream {
  /** GET /console/desk/events: `data: {"counts": {…}}` at once and whenever they are others. */
  page: RequestHandler
  /** A queue may be another than before; every node hears of it. */
  changed(): void
  clients(): number
  stop(): void
}

export interface StreamDeps {
  gate: OperatorGate
  bus: Bus
  log: Log
  counts(): Promise<Counts>
  /** For tests; in ms. */
  heartbeatMs?: number | undefined
}

const topic = 'desk'
const topicMessage = z.object({})
const roles = ['reviewer'] as const
const clientsMax = 200
/** At most one message in so long, however much happens. */
const everyMs = 250
const reconnectMs = 3_000
/** A client that has this much unread is dropped: it comes back by itself and is told everything. */
const unreadBytesMax = 16 * 1024

/** Something waits at the desk, or waits no longer: every node hears of it, whether it has a desk or not. */
export const tellDesks = (bus: Bus): void => bus.publish(topic, {})

/**
 * Tells open desks how much waits. A message between nodes may be lost, so the counts are also asked for at each heartbeat, and told when they are
 * others; a client that missed one is right again after that, or asks desk.counts. A stream ends with the session that opened it.
 */
export function createDeskStream({ gate, bus, log, counts, heartbeatMs = 15_000 }: StreamDeps): DeskStream {
  const clients = new Map<Response, { req: Request; told: string }>()
  let timer: NodeJS.Timeout | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let busy = false
  let again = false
  let stopped = false

  const write = (client: Response, text: string) => {
    if (client.writableLength > unreadBytesMax) client.destroy()
    else client.write(text)
  }
  const message = (found: Counts) => `data: ${JSON.stringify({ counts: found })}\n\n`
  const ask = (req: Request) => letIn(gate, req, roles, { changes: false, passive: true })

  /** Ends the streams of those who may not listen any more: their session has ended, or they lost the role. */
  async function clear(): Promise<void> {
    const asked = [...clients].map(async ([client, { req }]) => {
      const refused = await ask(req).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (refused instanceof ApiProblem) client.end()
    })
    await Promise.all(asked)
  }
  async function tell(): Promise<void> {
    await clear()
    const text = message(await counts())
    for (const [client, known] of clients) {
      if (client.writableEnded || known.told === text) continue
      known.told = text
      write(client, text)
    }
  }
  /** One at a time, so that no older count follows on a newer one. */
  async function run(): Promise<void> {
    timer = undefined
    lastAt = performance.now()
    busy = true
    await tell().catch((error: unknown) => log.warn({ err: error }, 'counts of the desk could not be told'))
    busy = false
    if (again) soon()
  }
  function soon(): void {
    again = busy
    if (stopped || busy || !clients.size) return
    timer ??= setTimeout(() => void run(), Math.max(0, lastAt + everyMs - performance.now()))
  }
  const deaf = bus.subscribe(topic, topicMessage, soon)
  const heartbeat = setInterval(() => {
    for (const client of clients.keys()) write(client, ': \n\n')
    soon()
  }, heartbeatMs)
  heartbeat.unref()

  return {
    async page(req, res) {
      if (req.method !== 'GET') throw new ApiProblem('method_not_allowed')
      await ask(req)
      if (stopped || clients.size >= clientsMax) throw new ApiProblem('busy', { retryAfterSeconds: 30 })
      const first = message(await counts())
      if (res.destroyed) return
      res.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
      res.setHeader('Cache-Control', 'no-store, no-transform')
      res.setHeader('X-Accel-Buffering', 'no')
      res.writeHead(200)
      res.write(`retry: ${reconnectMs}\n\n${first}`)
      const gone = () => void clients.delete(res)
      res.on('close', gone)
      res.on('error', gone)
      req.on('error', gone)
      clients.set(res, { req, told: first })
      // Something may have happened between the count and now.
      soon()
    },
    changed: () => tellDesks(bus),
    clients: () => clients.size,
    stop() {
      stopped = true
      deaf()
      clearTimeout(timer)
      clearInterval(heartbeat)
      for (const client of clients.keys()) client.end()
    },
  }
}
