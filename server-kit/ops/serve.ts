import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#server-kit/ops/log.ts'

export interface ServeOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  log: Log
  /** Addresses to print once the server answers: name and path. */
  addresses: readonly (readonly [name: string, path: string])[]
  /** Once it listens, before anything is printed. */
  onListening?: (origin: string) => Promise<void>
  /** First step of stopping: streams and sockets are told. What is being answered goes on. */
  onStop: () => void | Promise<void>
  /** Last step, when nothing is being answered any more: the database closes. */
  onStopped?: () => void | Promise<void>
}

/** Answers that still run are cut after this; closing the database has the rest of the ten seconds. */
const drainMsMax = 7_000
const stopMsMax = 9_500
const idleSweepMs = 100
/** One Ctrl-C may arrive twice: from the terminal and from a runner that passes it on. */
const secondSignalMs = 1_000

/** Listens, prints the `ready` line, and ends the process: 0 after a signal, 1 after an error or a second signal. */
export async function serve(server: Server, options: ServeOptions): Promise<void> {
  const { host, port, log, addresses, onStop, onStopped } = options
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  let stoppingSince: number | undefined
  async function stop(signal: string): Promise<void> {
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), stopMsMax).unref()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs)
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, drainMsMax)
    await onStop()
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
    await onStopped?.()
    log.info('stopped')
    process.exit(0)
  }
  const fail = (error: unknown, what: string) => {
    log.fatal({ err: error }, what)
    process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now()
        stop(signal).catch((error: unknown) => fail(error, 'stopping failed'))
      } else if (performance.now() - stoppingSince > secondSignalMs) process.exit(1)
    })
  }
  process.on('uncaughtException', (error) => fail(error, 'uncaught'))
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'))

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address ? address.port : port
  const origin = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${taken}`
  await options.onListening?.(origin)
  const width = Math.max(...addresses.map(([name]) => name.length)) + 2
  for (const [name, path] of addresses) process.stdout.write(`  ${name.padEnd(width)}${origin}${path}\n`)
  process.stdout.write(`ready ${origin}/\n`)
}
