import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { binFolder, postgresMissing, stepDown } from '#tests/support/databases/postgres.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

/** Two PostgreSQL servers, the second a synchronous standby of the first, behind one address that leads to one of them. */
export interface Pair {
  /** Address of an empty database through the switch. */
  url: string
  /** Directs new connections to one of them; `cut` closes existing connections. */
  leadTo(which: 'first' | 'second', cut?: boolean): void
  /** Stops the first server: SIGQUIT stops it at once, SIGKILL simulates a lost machine. */
  end(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  startFirst(): Promise<void>
  /** Promotes the standby. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const user = 'tessera'
const quick = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'shared_buffers=32MB']

/** Repeats a query until it succeeds. @throws the last error */
async function patiently<T>(ask: () => Promise<T>, withinMs: number): Promise<T> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > endsAt) throw error
      await new Promise((wake) => setTimeout(wake, 40))
    }
  }
}

/** @throws Error when a server does not come up in 20 s */
export async function startPair(): Promise<Pair> {
  const bin = binFolder()
  const account = stepDown()
  if (!bin || account === 'impossible') throw new Error(postgresMissing())
  const folder = mkdtempSync(join(tmpdir(), 'tessera-pair-'))
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
  const identity = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const [firstPort, secondPort] = [await freePort(), await freePort()]
  const initial = ['-D', first, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(join(bin, 'initdb'), initial, { ...identity, stdio: 'pipe' })
  // A cluster that has never run can be copied as files; no other program is needed.
  cpSync(first, second, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(second, 'standby.signal'), '')
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, second])
  chmodSync(second, 0o700)

  const servers = new Map<string, ChildProcess>()
  const run = (data: string, port: number, settings: string[]) => {
    const where = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
    servers.set(data, spawn(join(bin, 'postgres'), [...where, ...quick, ...settings], { ...identity, stdio: 'ignore' }))
  }
  async function say(port: number, text: string, database = 'postgres'): Promise<Record<string, unknown> | undefined> {
    const client = new pg.Client({ connectionString: `postgres://${user}@127.0.0.1:${port}/${database}` })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows[0]
    } finally {
      await client.end()
    }
  }
  const answers = (port: number) => patiently(() => say(port, 'select 1'), 20_000)
  async function end(data: string, signal: NodeJS.Signals): Promise<void> {
    const server = servers.get(data)
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((done) => server.once('exit', done))
    server.kill(signal)
    await ended
  }
  const startFirst = async () => {
    run(first, firstPort, ['-c', 'wal_level=replica', '-c', 'synchronous_standby_names=*', '-c', 'wal_sender_timeout=2s'])
    await answers(firstPort)
  }
  const last = () => {
    for (const server of servers.values()) server.kill('SIGQUIT')
  }
  process.once('exit', last)

  let port = firstPort
  const sockets = new Set<Socket>()
  const lane = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => lane.listen(0, '127.0.0.1', done))
  const address = lane.address()
  if (typeof address !== 'object' || !address) throw new Error('the switch has no port')
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }

  await startFirst()
  const source = `primary_conninfo=host=127.0.0.1 port=${firstPort} user=${user}`
  run(second, secondPort, ['-c', source, '-c', 'wal_retrieve_retry_interval=100ms', '-c', 'hot_standby=on'])
  await answers(secondPort)
  await say(firstPort, 'create database money')
  return {
    url: `postgres://${user}@127.0.0.1:${address.port}/money`,
    leadTo(which, cut = false) {
      port = which === 'first' ? firstPort : secondPort
      if (cut) cutAll()
    },
    end: (signal) => end(first, signal),
    startFirst,
    async promote() {
      await say(secondPort, 'select pg_promote(true, 15)')
      await patiently(async () => {
        const said = await say(secondPort, 'select pg_is_in_recovery() as standby', 'money')
        if (said?.standby !== false) throw new Error('still a copy')
      }, 15_000)
    },
    async stop() {
      cutAll()
      await new Promise((done) => lane.close(done))
      for (const data of [first, second]) await end(data, 'SIGQUIT')
      process.removeListener('exit', last)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
