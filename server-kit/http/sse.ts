import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHolds } from '#server-kit/http/limiter.ts'

interface EventStreamsOptions {
  /** From one comment that keeps the connections open to the next. */
  heartbeatMs: number
  /** A client that has this much unread is dropped: it comes back by itself and gets everything. */
  unreadBytesMax: number
  /** Streams at a time. */
  max: number
  /** Streams of one key at a time: an address, a session or an operator. */
  perKeyMax: number
  /** Headers of the answer beside those of every event stream. */
  headers?: readonly (readonly [string, string])[]
  /** Called after each heartbeat. */
  onHeartbeat?: () => void
}

/** A place for one stream. The code of a refusal is one of contract/problem.ts. */
type StreamPlace = { refused: 'busy' | 'too_many_requests' } | { refused?: undefined; release: () => void }

/** Event streams of one address. `About` is what the caller knows of each client. */
interface EventStreams<About> {
  /** Streams that are open. */
  readonly clients: ReadonlyMap<ServerResponse, About>
  readonly isClosed: boolean
  /** Takes a place, so that a stream which is being prepared counts. @param key undefined for a client that cannot be told apart from others */
  reserve(key: string | undefined): StreamPlace
  /**
   * Answers with a stream, or to HEAD with its headers. The place is given back when the connection closes.
   * @param reconnectMs how long the client waits before it comes back
   * @param first text that is sent at once
   */
  open(req: IncomingMessage, res: ServerResponse, options: { release: () => void; about: About; reconnectMs: number; first?: string }): void
  /** Sends text to a client; one that does not read is dropped. */
  write(client: ServerResponse, text: string): void
  /** Ends every stream; later ones are refused as busy. */
  close(): void
}

const streamHeaders = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store, no-transform'],
  ['X-Accel-Buffering', 'no'],
] as const

export function createEventStreams<About>(options: EventStreamsOptions): EventStreams<About> {
  const { heartbeatMs, unreadBytesMax, max, perKeyMax, headers = [], onHeartbeat } = options
  const head = [...headers, ...streamHeaders].flat()
  const clients = new Map<ServerResponse, About>()
  const byKey = createHolds()
  let taken = 0
  let isClosed = false

  const write = (client: ServerResponse, text: string) => {
    if (client.writableLength > unreadBytesMax) client.destroy()
    else if (!client.destroyed && !client.writableEnded) client.write(text)
  }
  const heartbeat = setInterval(() => {
    for (const client of clients.keys()) write(client, ': \n\n')
    onHeartbeat?.()
  }, heartbeatMs)
  heartbeat.unref()

  return {
    clients,
    get isClosed() {
      return isClosed
    },
    reserve(key) {
      if (isClosed || taken >= max) return { refused: 'busy' }
      if (byKey.held(key) >= perKeyMax) return { refused: 'too_many_requests' }
      const releaseKey = byKey.take(key)
      let held = true
      taken++
      return {
        release() {
          if (held) taken--
          held = false
          releaseKey()
        },
      }
    },
    open(req, res, { release, about, reconnectMs, first = '' }) {
      // One that left while its stream was prepared does not close again.
      if (res.destroyed) return release()
      res.writeHead(200, head)
      if (req.method === 'HEAD') {
        release()
        res.end()
        return
      }
      clients.set(res, about)
      const gone = () => {
        clients.delete(res)
        release()
      }
      res.on('close', gone)
      res.on('error', gone)
      res.write(`retry: ${reconnectMs}\n\n${first}`)
    },
    write,
    close() {
      isClosed = true
      clearInterval(heartbeat)
      for (const client of clients.keys()) client.end()
    },
  }
}
