import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { createServer as createSocketServer } from 'node:net'

import { problems } from '#contract/problem.ts'

/** Against requests that come in drop by drop, and against too many at once. */
export const serverLimits = {
  headersMs: 15_000,
  requestMs: 45_000,
  keepAliveMs: 65_000,
  headerBytesMax: 16_384,
  connectionsMax: 20_000,
} as const

type Broken = 'body_unreadable' | 'headers_too_large' | 'request_too_slow'
/** Node's error codes for a request that it could not read. */
const causes: Record<string, Broken> = { HPE_HEADER_OVERFLOW: 'headers_too_large', ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow' }

const bodyOf = (name: Broken) => JSON.stringify({ code: problems[name].code, msg: name, data: null, name })

/** A whole answer, for a request of which nothing more is read. */
function answerTo(name: Broken): string {
  const { http } = problems[name]
  const body = bodyOf(name)
  return `HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
}

/** Two Hosts lead two readers to two places; HTTP/1.1 asks for exactly one. Node joins doubled ones silently. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** A server with time limits, whose answer to a request that is no HTTP is JSON as well. */
export function createHttpServer(handle: RequestListener): Server {
  const server = createServer({ maxHeaderSize: serverLimits.headerBytesMax, requireHostHeader: false }, (req, res) => {
    if (hasOneHost(req)) return handle(req, res)
    res.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(bodyOf('body_unreadable'))
  })
  server.headersTimeout = serverLimits.headersMs
  server.requestTimeout = serverLimits.requestMs
  server.keepAliveTimeout = serverLimits.keepAliveMs
  server.maxConnections = serverLimits.connectionsMax
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) socket.end(answerTo(causes[error.code ?? ''] ?? 'body_unreadable'))
    else socket.destroy()
  })
  return server
}

/**
 * Looks for the port before anything else is opened: a start that cannot listen leaves the data as it was.
 * @throws Error as listening itself would, such as EADDRINUSE
 */
export async function mustBeFree({ HOST: host, PORT: port }: { HOST: string; PORT: number }): Promise<void> {
  if (port === 0) return
  const probe = createSocketServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(port, host, resolve)
  })
  await new Promise<void>((done) => probe.close(() => done()))
}
