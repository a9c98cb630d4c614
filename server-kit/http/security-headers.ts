import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import helmet, { type HelmetOptions } from 'helmet'

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The security headers of answers. `data` is for JSON, pictures and whatever else is not a page; `page` for HTML and its scripts. */
export interface Security {
  readonly data: HeaderPairs
  /** @param host value of the Host header; anything that does not look like one is left out of the policy */
  page(host: string | undefined): HeaderPairs
  /**
   * The same for pages of the console, which frame pages of their own. Trusted Types hold there too: its editor makes no HTML of text, and the
   * address of the worker that checks documents goes through a policy of its own.
   * @param framed the page is one that may be framed, by ours alone
   */
  console(host: string | undefined, framed: boolean): HeaderPairs
  /** Whether what this proxy says of a client is believed; for express's `trust proxy`. */
  trusts(address: string | undefined, hop: number): boolean
  /** True when the request came over TLS, here or at a proxy that is trusted. */
  overTls(req: IncomingMessage): boolean
  /** Asks browsers to stay on TLS, where the request came over it. */
  transport(req: IncomingMessage, res: ServerResponse): void
  apply(req: IncomingMessage, res: ServerResponse, pairs: HeaderPairs): void
}

interface SecurityOptions {
  /** Proxies whose X-Forwarded-Proto and X-Forwarded-For are believed. */
  trustProxy: readonly string[]
  /** Scripts that the development server puts into the page, and its style elements, are allowed. */
  dev?: boolean
}

type Directives = Record<string, string[]>

const dataDirectives: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  sandbox: [],
}

/**
 * Trusted Types are required: no library of the page writes text as HTML. DOMPurify makes its own policy and gives nodes; the chart draws
 * its attribution as a link of ours. While developing, Vite's client needs both relaxed, and a worker from a blob: it waits there for
 * the server to come back.
 * `'self'` covers the socket in current browsers; older ones want the address of the socket in words.
 */
const pageDirectives = (sockets: string[], dev: boolean): Directives => ({
  'default-src': ["'none'"],
  'script-src': dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
  'style-src': dev ? ["'self'", "'unsafe-inline'"] : ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'connect-src': ["'self'", ...sockets],
  'font-src': ["'self'"],
  'frame-src': ['https:'],
  'manifest-src': ["'self'"],
  'worker-src': dev ? ["'self'", 'blob:'] : ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  ...(!dev && { 'require-trusted-types-for': ["'script'"] }),
})

const permissions = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
/** Customers scan the QR code of an address. */
const appPermits = ['camera']
const hsts = 'max-age=63072000; includeSubDomains'

/** Lets helmet write its policy once and keeps what it wrote, so that an answer costs no more than copying it. */
function written(options: HelmetOptions, more: HeaderPairs): HeaderPairs {
  const pairs = new Map<string, string>()
  const paper = { setHeader: (name: string, value: string) => void pairs.set(name, value), removeHeader: () => undefined }
  helmet(options)({} as IncomingMessage, paper as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error
  })
  return [...pairs, ...more]
}

/** @param permits what a page may use of the device; undefined: the answer is no page */
function policy(directives: Directives, permits: readonly string[] | undefined, frames: 'deny' | 'sameorigin' = 'deny'): HeaderPairs {
  return written(
    {
      contentSecurityPolicy: { useDefaults: false, directives },
      crossOriginEmbedderPolicy: false,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: false,
      xFrameOptions: { action: frames },
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
    },
    permits === undefined
      ? []
      : [['Permissions-Policy', permissions.map((name) => `${name}=${permits.includes(name) ? '(self)' : '()'}`).join(', ')]],
  )
}

const hostPattern = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
const hostsKept = 100

export function createSecurity(options: SecurityOptions): Security {
  const dev = options.dev ?? false
  const trusted = express()
    .set('trust proxy', [...options.trustProxy])
    .get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  const data = policy(dataDirectives, undefined)
  const pages = new Map<string, HeaderPairs>()

  const made = (kind: string, host: string | undefined, make: (directives: Directives) => HeaderPairs): HeaderPairs => {
    const name = host !== undefined && hostPattern.test(host) ? host.toLowerCase() : ''
    const key = `${kind} ${name}`
    const known = pages.get(key)
    if (known) return known
    const pairs = make(pageDirectives(name ? [`ws://${name}`, `wss://${name}`] : [], dev))
    if (pages.size < hostsKept) pages.set(key, pairs)
    return pairs
  }
  const overTls = (req: IncomingMessage) => {
    if ((req.socket as { encrypted?: boolean }).encrypted) return true
    return req.headers['x-forwarded-proto'] === 'https' && trusted(req.socket.remoteAddress, 0)
  }
  const transport = (req: IncomingMessage, res: ServerResponse) => {
    if (overTls(req)) res.setHeader('Strict-Transport-Security', hsts)
  }
  return {
    data,
    page: (host) => made('page', host, (directives) => policy(directives, appPermits)),
    console: (host, framed) =>
      framed
        ? made('framed', host, (directives) => policy({ ...directives, 'frame-ancestors': ["'self'"] }, [], 'sameorigin'))
        : made('console', host, (directives) => policy({ ...directives, 'frame-src': ["'self'"] }, [])),
    trusts: trusted,
    overTls,
    transport,
    apply(req, res, pairs) {
      for (const [name, value] of pairs) res.setHeader(name, value)
      transport(req, res)
    },
  }
}
