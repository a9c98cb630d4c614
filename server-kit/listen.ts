import { createServer, type RequestListener, type Server } from 'node:http'
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

const body = JSON.stringify({ code: problems.body_unreadable.code, msg: 'body_unreadable', data: null, name: 'body_unreadable' })
const broken = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`

/** A server with time limits, whose answer to a request that is no HTTP is JSON as well. */
export function createHttpServer(handle: RequestListener): Server {
  const server = createServer({ maxHeaderSize: serverLimits.headerBytesMax, requireHostHeader: false }, handle)
  server.headersTimeout = serverLimits.headersMs
  server.requestTimeout = serverLimits.requestMs
  server.keepAliveTimeout = serverLimits.keepAliveMs
  server.maxConnections = serverLimits.connectionsMax
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(broken)
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
