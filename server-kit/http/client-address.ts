import type { IncomingMessage } from 'node:http'
import { addressKey } from '#server-kit/http/limiter.ts'

/** Whether a proxy's word about the client is believed; as Express's `trust proxy` function. */
export type Trusts = (address: string | undefined, hop: number) => boolean

export const isLoopbackAddress = (address: string | undefined): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '')

/** Whether a proxy passed the request on and says so. */
const isForwarded = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined

/**
 * Address of the client: that of the connection, or of the last hop in X-Forwarded-For that no trusted proxy vouches for; as `req.ip` of Express,
 * for requests that Express does not see. Behind a proxy on this machine that is not trusted every client is `proxy`.
 */
export function clientAddress(req: IncomingMessage, trusts: Trusts): string {
  const forwarded = req.headers['x-forwarded-for']
  const connection = req.socket.remoteAddress ?? ''
  const address = forwarded === undefined ? connection : lastUntrusted(connection, String(forwarded), trusts)
  return isLoopbackAddress(address) && isForwarded(req) ? 'proxy' : address
}

function lastUntrusted(connection: string, forwarded: string, trusts: Trusts): string {
  const hops = forwarded.split(',').map((hop) => hop.trim())
  let address = connection
  for (const [hop, next] of hops.filter(Boolean).reverse().entries()) {
    if (!trusts(address, hop)) break
    address = next
  }
  return address
}

/**
 * Key to count a client by: its address, or the /64 of an IPv6 address. Undefined behind a proxy on this machine that is not trusted: its clients
 * cannot be told apart, and a limit for one of them would stop them all.
 */
export function clientKey(req: IncomingMessage, trusts: Trusts): string | undefined {
  const address = clientAddress(req, trusts)
  return address === 'proxy' ? undefined : addressKey(address)
}
