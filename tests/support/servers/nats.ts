import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/servers/free-port.ts'

const binaries = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server']

/** Why NATS is not available on this machine, or undefined. */
export function natsMissing(): string | undefined {
  return binaries.some((path) => existsSync(path)) ? undefined : `no nats-server at ${binaries.join(', ')}`
}

export interface TestNats {
  readonly url: string
  /** Kills the server. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

/** A NATS server for tests on a loopback port. @throws Error when it does not start */
export async function startNats(): Promise<TestNats> {
  const binary = binaries.find((path) => existsSync(path))
  if (!binary) throw new Error(natsMissing())
  const folder = mkdtempSync(join(tmpdir(), 'tessera-nats-'))
  const port = await freePort()
  let server: ChildProcess | undefined
  const last = () => server?.kill('SIGKILL')
  process.once('exit', last)

  async function start(): Promise<void> {
    server = spawn(binary as string, ['-a', '127.0.0.1', '-p', String(port)], { cwd: folder, stdio: 'ignore' })
    while (!(await answers(port))) {
      if (server.exitCode !== null) throw new Error('nats-server did not start')
      await new Promise((wake) => setTimeout(wake, 30))
    }
  }
  async function kill(): Promise<void> {
    const running = server
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    await new Promise<void>((done) => {
      running.once('exit', () => done())
      running.kill('SIGKILL')
    })
  }

  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    start,
    async stop() {
      await kill()
      process.removeListener('exit', last)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
