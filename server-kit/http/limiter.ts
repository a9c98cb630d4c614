import { isIPv6 } from 'node:net'
import type { RequestHandler } from 'express'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiProblem } from '#contract/problem.ts'
import type { Log } from '#server-kit/ops/log.ts'

export interface RateLimit {
  /** Requests of one address in `seconds`. */
  requests: number
  seconds: number
  /** The same for requests from this machine; benches and tests send more. */
  loopbackRequests: number
}
export const generousLimit: RateLimit = { requests: 600, seconds: 10, loopbackRequests: 200_000 }

const isLoopback = (ip: string) => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')

/** An IPv6 customer has a whole /64, so that is what counts. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail] = ip.split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const all = tail === undefined ? front : [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back]
  return `${all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}/64`
}

/**
 * The network of an address: /24 of IPv4, /48 of IPv6, which is what one customer of a provider has at most. Limits and witnesses that somebody
 * with many addresses must not multiply are counted by it.
 */
export function addressRange(ip: string): string {
  const key = addressKey(ip)
  if (key.endsWith('/64')) return `${key.slice(0, -'/64'.length).split(':').slice(0, 3).join(':')}/48`
  return key.includes('.') ? `${key.split('.').slice(0, 3).join('.')}/24` : key
}

/** One bucket per address, in the memory of this process. Over the limit: 429 with Retry-After. */
export function rateLimit(limit: RateLimit, log: Log): RequestHandler {
  const far = new RateLimiterMemory({ points: limit.requests, duration: limit.seconds })
  const near = new RateLimiterMemory({ points: limit.loopbackRequests, duration: limit.seconds })
  return (req, res, next) => {
    const ip = req.ip ?? ''
    const limiter = isLoopback(ip) ? near : far
    limiter.consume(addressKey(ip)).then(
      () => next(),
      (refused: unknown) => {
        if (refused instanceof Error) return next(refused)
        const waitMs = (refused as { msBeforeNext?: number }).msBeforeNext ?? limit.seconds * 1_000
        res.setHeader('Retry-After', Math.max(1, Math.ceil(waitMs / 1_000)))
        log.warn({ ip, path: req.path }, 'too many requests')
        next(new ApiProblem('too_many_requests'))
      },
    )
  }
}

/** Counts what each client holds open at a time, such as sockets. */
export interface Holds {
  /** @returns how many this key holds; 0 for undefined, which is not counted */
  held(key: string | undefined): number
  /** Counts one more. @returns what to call when it is closed; a second call does nothing */
  take(key: string | undefined): () => void
}

export function createHolds(): Holds {
  const counts = new Map<string, number>()
  return {
    held: (key) => (key === undefined ? 0 : (counts.get(key) ?? 0)),
    take(key) {
      if (key === undefined) return () => undefined
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let open = true
      return () => {
        if (!open) return
        open = false
        const left = counts.get(key)! - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

/**
 * `rateLimit` for requests that are answered without a router and at once: a fixed window per client, in the memory of this process.
 * @param key see clientKey; a client without one is counted with this machine, and so has `loopbackRequests`
 * @returns seconds after which the client may ask again; 0: it may ask now
 */
export function createQuickLimit(limit: RateLimit, now: () => number): (key: string | undefined) => number {
  const windowMs = limit.seconds * 1_000
  let counts = new Map<string, number>()
  let endsAt = Number.NEGATIVE_INFINITY
  return (key = '::1') => {
    const at = now()
    // A clock that was set back must not make the window longer.
    if (at >= endsAt || at < endsAt - windowMs) {
      counts = new Map()
      endsAt = at + windowMs
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    const near = isLoopback(key) || key === '0:0:0:0/64'
    return count <= (near ? limit.loopbackRequests : limit.requests) ? 0 : Math.max(1, Math.ceil((endsAt - at) / 1_000))
  }
}
