import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Database, Migration } from '#server-kit/db/db.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { mustBeFree } from '#server-kit/http/listen.ts'
import { createSecurity, type Security } from '#server-kit/http/security-headers.ts'
import type { Env } from '#server-kit/ops/env.ts'
import { createLog, type Log } from '#server-kit/ops/log.ts'

/** The services that every server of the product needs. */
export interface Foundation {
  env: Env
  log: Log
  security: Security
  /** Open and migrated; `serve` closes it. */
  database: Database
  /** True from the signal to stop; requests are still answered then. */
  isDraining: () => boolean
  /** Prints lines for the person at the terminal; they stand in no log. */
  say: (lines: string) => void
}

/** A server that is ready to listen. */
export interface ServerParts {
  server: Server
  /** Addresses to print once the server answers: name, and a path or a whole address. */
  addresses: readonly (readonly [name: string, path: string])[]
  /** Once it listens, before anything is printed. */
  onListening?: (origin: string) => Promise<void>
  /** First step of stopping: streams and sockets are notified. Requests in progress continue. */
  onStop: () => void | Promise<void>
  /** When nothing is being answered any more, before the database closes. */
  onStopped?: () => void | Promise<void>
}

interface ServeOptions {
  env: Env
  /** Serves sources instead of a build. */
  dev?: boolean
  /** See DatabaseOptions; by default as `dev`. */
  isWatched?: boolean
  migrations: readonly Migration[]
  open: (foundation: Foundation) => Promise<ServerParts>
}

/** Times after the drain. Answers that still run are cut after this; closing the database has the rest of the ten seconds. */
const drainMsMax = 7_000
const stopMsMax = 9_500
const idleSweepMs = 100
/** One Ctrl-C may arrive twice: from the terminal and from a runner that passes it on. */
const secondSignalMs = 1_000
/** Exit code when the database engine in this process has broken. */
const brokenEngine = 70

/**
 * Runs a server from its start to the end of the process: looks for the port, opens the database, opens the parts, listens, and stops them in
 * the reverse order.
 * @throws StartRefused and what `open` throws; nothing listens then
 */
export async function serve({ env, dev = false, isWatched = dev, migrations, open }: ServeOptions): Promise<void> {
  const log = createLog(env.LOG_LEVEL)
  const security = createSecurity({ trustProxy: env.TRUST_PROXY, dev })
  const onFatal = (error: unknown) => {
    log.fatal({ err: error }, 'the embedded database broke; the process must be started again')
    process.exit(brokenEngine)
  }
  await mustBeFree(env)
  const place = { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL }
  const database = await openDatabase({ ...place, log, onFatal, isWatched, migrations })
  const stopping: Stopping = { isDraining: false }
  const parts = await open({
    env,
    log,
    security,
    database,
    isDraining: () => stopping.isDraining,
    say: (lines) => void process.stdout.write(`${lines}\n`),
  })
  await listen(parts, { env, log, database }, stopping)
}

interface Stopping {
  isDraining: boolean
}

/**
 * Listens, prints the `ready` line, and ends the process: 0 after a signal, 1 after an error or a second signal. Listening goes on for
 * DRAIN_SECONDS after the first signal; a second one ends the drain, not the process.
 */
async function listen(
  parts: ServerParts,
  { env, log, database }: Pick<Foundation, 'env' | 'log' | 'database'>,
  stopping: Stopping,
): Promise<void> {
  const { server, addresses, onListening, onStop, onStopped } = parts
  const { HOST: host, PORT: port } = env
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  let signalAt: number | undefined
  let endDrain: (() => void) | undefined
  async function drain(signal: string): Promise<void> {
    stopping.isDraining = true
    if (env.DRAIN_SECONDS === 0) return
    log.info({ signal, seconds: env.DRAIN_SECONDS }, 'server: draining; /ready answers 503')
    await new Promise<void>((done) => {
      endDrain = done
      setTimeout(done, env.DRAIN_SECONDS * 1_000)
    })
    endDrain = undefined
  }
  async function stop(signal: string): Promise<void> {
    await drain(signal)
    log.info({ signal }, 'server: stopping')
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
    await database.close()
    log.info('server: stopped')
    process.exit(0)
  }
  const fail = (error: unknown, what: string) => {
    log.fatal({ err: error }, what)
    process.exit(1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = performance.now()
      const isFirst = signalAt === undefined
      // The second half of one Ctrl-C.
      if (signalAt !== undefined && now - signalAt <= secondSignalMs) return
      signalAt = now
      if (isFirst) stop(signal).catch((error: unknown) => fail(error, 'stopping failed'))
      else if (endDrain) endDrain()
      else process.exit(1)
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
  await onListening?.(origin)
  const width = Math.max(...addresses.map(([name]) => name.length)) + 2
  for (const [name, path] of addresses) process.stdout.write(`  ${name.padEnd(width)}${path.startsWith('/') ? origin : ''}${path}\n`)
  process.stdout.write(`ready ${origin}/\n`)
}
