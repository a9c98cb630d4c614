import type { Request, RequestHandler } from 'express'
import * as z from 'zod'
import { letIn } from '#api-server/back-office/gate.ts'
import type { QueueCount } from '#api-server/kit/queue.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Operator } from '#server-kit/http/http.ts'
import { createEventStreams } from '#server-kit/http/sse.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Log } from '#server-kit/ops/log.ts'
import type { OperatorGate } from '#server-kit/security/operator-gate.ts'

/** Rows that wait in each queue, as office.counts answers it. */
export type Counts = Record<QueueCount, number>

interface BackOfficeStream {
  /**
   * GET /console/back-office/events: `data: {"counts": {…}, "rules": 7}` at once and whenever one is another; `rules` grows with each
   * change of the rules and of what is proposed. An operator who does not review gets zeros as counts.
   */
  page: RequestHandler
  /** A queue, or a rule, may be another than before; every node hears of it. */
  changed(): void
  clients(): number
  stop(): void
}

export interface StreamDeps {
  gate: OperatorGate
  bus: Bus
  log: Log
  counts(): Promise<Counts>
  /** Number of the last change of the rules. */
  rules(): Promise<number>
  /** For tests; in ms. */
  heartbeatMs?: number | undefined
}

/** A stream that is open: who opened it, and what was sent last. */
interface Client {
  req: Request
  sent: string
  reviews: boolean
}

const topic = 'back-office'
const topicMessage = z.object({})
const roles = ['reviewer', 'administrator'] as const
const nothing: Counts = { recharges: 0, withdrawals: 0, verifications: 0, traders: 0, otc: 0, to_send: 0 }
/** Streams at a time; an operator has one for each tab. */
const limits = { all: 200, perOperator: 40, retryAfterSeconds: 30 } as const
/** At most one message in so long, however much happens. */
const everyMs = 250
const reconnectMs = 3_000
/** A client that has this much unread is dropped: it comes back by itself and gets everything. */
const unreadBytesMax = 16 * 1024

const reviews = (operator: Operator) => operator.roles.includes('reviewer')
const isOperator = (found: unknown): found is Operator => Array.isArray((found as Partial<Operator> | null)?.roles)

/** Something waits at the back office, or waits no longer: every node hears of it, whether it has a back office or not. */
export const tellBackOffices = (bus: Bus): void => bus.publish(topic, {})

/**
 * Sends the numbers of waiting rows to open pages of the back office. A message between nodes may be lost, so the counts are also asked for
 * at each heartbeat, and sent when they have changed; a client that missed one is right again after that, or asks office.counts. A stream
 * ends with the session that opened it.
 */
export function createBackOfficeStream({ gate, bus, log, counts, rules, heartbeatMs = 15_000 }: StreamDeps): BackOfficeStream {
  const streams = createEventStreams<Client>({
    heartbeatMs,
    unreadBytesMax,
    max: limits.all,
    perKeyMax: limits.perOperator,
    onHeartbeat: () => soon(),
  })
  const { clients } = streams
  let timer: NodeJS.Timeout | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let busy = false
  let again = false

  async function messages(): Promise<(reviews: boolean) => string> {
    const [found, changed] = [await counts(), await rules()]
    return (reviews) => `data: ${JSON.stringify({ counts: reviews ? found : nothing, rules: changed })}\n\n`
  }
  const ask = (req: Request) => letIn(gate, req, roles, { changes: false, passive: true })

  /** Ends the streams of those who may not listen any more: their session has ended, or they lost the role. */
  async function clear(): Promise<void> {
    const asked = [...clients].map(async ([client, known]) => {
      const found = await ask(known.req).catch((error: unknown) => error)
      if (found instanceof ApiProblem) client.end()
      else if (isOperator(found)) known.reviews = reviews(found)
    })
    await Promise.all(asked)
  }
  async function tell(): Promise<void> {
    await clear()
    const of = await messages()
    for (const [client, known] of clients) {
      const text = of(known.reviews)
      if (client.writableEnded || known.sent === text) continue
      known.sent = text
      streams.write(client, text)
    }
  }
  /** One at a time, so that no older count follows on a newer one. */
  async function run(): Promise<void> {
    timer = undefined
    lastAt = performance.now()
    busy = true
    await tell().catch((error: unknown) => log.warn({ err: error }, 'the counts of the back office could not be sent'))
    busy = false
    if (again) soon()
  }
  function soon(): void {
    again = busy
    if (streams.isClosed || busy || !clients.size) return
    timer ??= setTimeout(() => void run(), Math.max(0, lastAt + everyMs - performance.now()))
  }
  const deaf = bus.subscribe(topic, topicMessage, soon)

  return {
    async page(req, res) {
      if (req.method !== 'GET') throw new ApiProblem('method_not_allowed')
      const operator = await ask(req)
      const { retryAfterSeconds } = limits
      const place = streams.reserve(String(operator.id))
      if (place.refused) throw new ApiProblem(place.refused, { retryAfterSeconds })
      const { release } = place
      try {
        const first = (await messages())(reviews(operator))
        if (streams.isClosed && !res.destroyed) throw new ApiProblem('busy', { retryAfterSeconds })
        if (res.destroyed) return release()
        streams.open(req, res, { release, about: { req, sent: first, reviews: reviews(operator) }, reconnectMs, first })
      } catch (error) {
        release()
        throw error
      }
      // Something may have happened between the count and now.
      soon()
    },
    changed: () => tellBackOffices(bus),
    clients: () => clients.size,
    stop() {
      deaf()
      clearTimeout(timer)
      streams.close()
    },
  }
}
