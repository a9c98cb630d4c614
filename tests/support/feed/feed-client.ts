import { type ClientOptions, WebSocket } from 'ws'
import type { DepthLevel, FeedMessage, FeedRequest } from '#contract/feed.ts'

/** Applies a delta to one side of a book, as a client does. */
export function applySide(side: readonly DepthLevel[], delta: readonly DepthLevel[], isBids: boolean): DepthLevel[] {
  const levels = new Map(side)
  for (const [price, size] of delta) {
    if (Number(size) === 0) levels.delete(price)
    else levels.set(price, size)
  }
  return [...levels].sort(([a], [b]) => (isBids ? Number(b) - Number(a) : Number(a) - Number(b)))
}

export interface FeedClient {
  readonly socket: WebSocket
  readonly messages: FeedMessage[]
  /** Size of each message in bytes of text. */
  send(request: FeedRequest | Record<string, unknown> | string): void
  /** The first matching message, received already or later. @throws after `ms` */
  next(fits: (message: FeedMessage) => boolean, ms?: number): Promise<FeedMessage>
  /** Clears the received messages. */
  clear(): void
  /** Code of the close frame. */
  readonly closed: Promise<number>
}

/** Opens a socket and collects messages. @throws Error with the HTTP status when the upgrade is refused */
export function openFeed(url: string, options: ClientOptions = {}): Promise<FeedClient> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...options })
    const messages: FeedMessage[] = []
    const waiting = new Set<() => void>()
    const closed = new Promise<number>((done) => socket.once('close', done))
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      reject(new Error(`refused with ${response.statusCode}`))
    })
    socket.on('error', reject)
    socket.on('message', (data) => {
      messages.push(JSON.parse(String(data)) as FeedMessage)
      for (const wake of waiting) wake()
    })
    socket.once('open', () =>
      resolve({
        socket,
        messages,
        send: (request) => socket.send(typeof request === 'string' ? request : JSON.stringify(request)),
        clear: () => void messages.splice(0),
        closed,
        next: (fits, ms = 120_000) =>
          new Promise((found, failed) => {
            const look = () => {
              const message = messages.find(fits)
              if (!message) return
              clearTimeout(timer)
              waiting.delete(look)
              found(message)
            }
            const timer = setTimeout(() => {
              waiting.delete(look)
              failed(
                new Error(`no such message in ${ms} ms; there were ${messages.map((one) => JSON.stringify(one).slice(0, 120)).join('\n')}`),
              )
            }, ms)
            waiting.add(look)
            look()
          }),
      }),
    )
  })
}
