import { randomUUID } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import * as z from 'zod'
import type { Log } from '#server-kit/ops/log.ts'

/** Larger messages are neither sent nor read. */
const messageBytesMax = 262_144
const pingEveryMs = 10_000
const subjectPrefix = 'tessera.'

/**
 * Messages between nodes. A hint, never the record: any may be lost, so a listener must find the truth in the database. Listeners of this
 * node hear every message at once, whatever state the transport to other nodes is in.
 */
export interface Bus {
  /** True when other nodes may listen too. */
  readonly shared: boolean
  /** Never waits, never throws; while the transport is down other nodes hear nothing. */
  publish(topic: string, value: unknown): void
  /**
   * Messages that do not fit `schema` are counted and dropped.
   * @param lost called when messages of other nodes may be missing: one was left out, or the transport was interrupted
   * @returns a function that ends it
   */
  subscribe<T>(topic: string, schema: z.ZodType<T>, listener: (value: T) => void, lost?: () => void): () => void
  counts(): { sent: number; received: number; refused: number; missed: number; connected: number }
  close(): Promise<void>
}

interface Subscription {
  topic: string
  take: (value: unknown) => void
  lost: (() => void) | undefined
}

function createListeners(log: Log, counts: { refused: number }) {
  const subscriptions = new Set<Subscription>()
  return {
    subscribe<T>(topic: string, schema: z.ZodType<T>, listener: (value: T) => void, lost?: () => void): () => void {
      const one: Subscription = {
        topic,
        lost,
        take(value) {
          const read = schema.safeParse(value)
          if (!read.success) {
            counts.refused++
            return
          }
          try {
            listener(read.data)
          } catch (error) {
            log.error({ err: error, topic }, 'a listener of the bus failed')
          }
        },
      }
      subscriptions.add(one)
      return () => void subscriptions.delete(one)
    },
    deliver(topic: string, value: unknown): void {
      for (const one of [...subscriptions]) if (one.topic === topic) one.take(value)
    },
    /** @param topic left out: of all topics */
    lost(topic?: string): void {
      for (const one of [...subscriptions]) if (topic === undefined || one.topic === topic) one.lost?.()
    },
    clear: () => subscriptions.clear(),
  }
}

/** For one node: listeners are called at once. */
export function createLocalBus(log: Log): Bus {
  const counts = { sent: 0, received: 0, refused: 0, missed: 0, connected: 1 }
  const listeners = createListeners(log, counts)
  return {
    shared: false,
    publish(topic, value) {
      counts.sent++
      listeners.deliver(topic, value)
    },
    subscribe: listeners.subscribe,
    counts: () => ({ ...counts }),
    close: async () => listeners.clear(),
  }
}

const envelope = z.object({
  v: z.literal(1),
  from: z.string().max(60),
  n: z.int().positive(),
  topic: z.string().max(100),
  value: z.unknown(),
})

/** Carries messages to other nodes. On the way they may be lost, doubled, delayed or change places. */
export interface Transport {
  isOpen(): boolean
  /** Does not wait. @throws Error when the message cannot be sent */
  send(topic: string, message: string): void
  /** Nothing arrives any more. */
  close(): Promise<void>
}
/** The events that the transport brings to a node. */
export interface Arrivals {
  receive(message: Uint8Array): void
  /** A message that arrived cannot be read. */
  refuse(): void
  /** The transport was interrupted, and messages of any topic may be missing. */
  interrupted(): void
}

/** @param open begins to bring what other nodes send */
export async function createBusOver(open: (arrivals: Arrivals) => Transport | Promise<Transport>, log: Log): Promise<Bus> {
  const node = randomUUID()
  const counts = { sent: 0, received: 0, refused: 0, missed: 0 }
  const listeners = createListeners(log, counts)
  /** Last number that was heard of each sender and topic: repeats and latecomers are dropped. */
  const heard = new Map<string, number>()
  const numbers = new Map<string, number>()

  function receive(data: Uint8Array): void {
    if (data.length > messageBytesMax) {
      counts.refused++
      return
    }
    let message: z.infer<typeof envelope>
    try {
      message = envelope.parse(JSON.parse(Buffer.from(data).toString()))
    } catch {
      counts.refused++
      return
    }
    if (message.from === node) return
    const lane = `${message.from} ${message.topic}`
    const before = heard.get(lane) ?? 0
    if (message.n <= before) return
    if (heard.size > 10_000) heard.clear()
    heard.set(lane, message.n)
    counts.received++
    if (before > 0 && message.n > before + 1) listeners.lost(message.topic)
    listeners.deliver(message.topic, message.value)
  }

  const transport = await open({ receive, refuse: () => void counts.refused++, interrupted: () => listeners.lost() })
  return {
    shared: true,
    publish(topic, value) {
      listeners.deliver(topic, value)
      const n = (numbers.get(topic) ?? 0) + 1
      numbers.set(topic, n)
      if (!transport.isOpen()) {
        counts.missed++
        return
      }
      const message = JSON.stringify({ v: 1, from: node, n, topic, value } satisfies z.input<typeof envelope>)
      if (Buffer.byteLength(message) > messageBytesMax) {
        counts.missed++
        return
      }
      try {
        transport.send(topic, message)
        counts.sent++
      } catch {
        counts.missed++
      }
    },
    subscribe: listeners.subscribe,
    counts: () => ({ ...counts, connected: transport.isOpen() ? 1 : 0 }),
    async close() {
      listeners.clear()
      await transport.close()
    },
  }
}

/** Over NATS. Connects for ever in the background: a server without its bus still starts and works for its own clients. */
export const createNatsBus = (url: string, log: Log): Promise<Bus> => createBusOver((arrivals) => openNats(url, arrivals, log), log)

async function openNats(url: string, { receive, refuse, interrupted }: Arrivals, log: Log): Promise<Transport> {
  const { connect } = await import('@nats-io/transport-node')
  let connection: NatsConnection | undefined
  let isConnected = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function watch(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        isConnected = false
        log.warn('bus: disconnected; reconnecting')
      } else if (status.type === 'reconnect') {
        isConnected = true
        log.info('bus: reconnected')
        interrupted()
      }
    }
  }

  async function open(): Promise<void> {
    let nats: NatsConnection | undefined
    try {
      nats = await connect({
        servers: url,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 500,
        reconnectJitter: 500,
        pingInterval: pingEveryMs,
        noEcho: true,
        timeout: 5_000,
      })
      if (closed) return void nats.close()
      nats.subscribe(`${subjectPrefix}>`, {
        callback(error, message) {
          if (error) refuse()
          else receive(message.data)
        },
      })
      const isFirst = connection === undefined
      connection = nats
      // The answer says that the server has the subscription: what other nodes send from now on arrives.
      await nats.flush()
      if (closed) return
      isConnected = true
      if (!isFirst) interrupted()
      void watch(nats).catch(() => {})
      void nats.closed().then((error) => {
        isConnected = false
        if (closed) return
        log.error({ err: error }, 'the bus closed for good; opening it anew')
        retry = setTimeout(open, 1_000)
      })
    } catch (error) {
      void nats?.close().catch(() => {})
      if (closed) return
      log.warn({ err: error }, 'the bus does not answer; trying again')
      retry = setTimeout(open, 2_000)
      retry.unref()
    }
  }
  await open()

  return {
    // Messages that are published while the transport is down would pile up in the connection.
    isOpen: () => isConnected,
    send: (topic, message) => connection!.publish(subjectPrefix + topic, message),
    async close() {
      closed = true
      clearTimeout(retry)
      await connection?.close().catch(() => {})
    },
  }
}
