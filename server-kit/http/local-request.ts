import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress } from '#server-kit/http/client-address.ts'
import { isLoopback } from '#server-kit/ops/env.ts'

/** Headers that proxies add to a request, each proxy some of them. */
const ofProxies = /^(?:x-forwarded-.*|x-real-ip|forwarded|via)$/

/** Name in a Host header, without the port. */
const nameIn = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '')

/**
 * Whether a program on this machine asked by itself: from a loopback address, for a loopback host, and with no mark of a proxy. A proxy may
 * leave everything out that says so; nginx without settings does, and speaks HTTP/1.0, so that counts as a mark too. Data that must stay
 * hidden from strangers needs more than this: a secret.
 */
export function isLocalRequest(req: IncomingMessage): boolean {
  const { headers, httpVersion, socket } = req
  if (!isLoopbackAddress(socket.remoteAddress) || httpVersion === '1.0') return false
  if (Object.keys(headers).some((name) => ofProxies.test(name))) return false
  return isLoopback(nameIn(headers.host ?? ''))
}

/**
 * Whether test hooks may answer: only this machine, and no page of another site, whose forms a browser sends anywhere. Programs that are no
 * browser send neither header.
 */
export function mayUseTestHooks(req: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = req.headers
  if (!isLocalRequest(req)) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`
}
