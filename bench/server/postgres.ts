import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A PostgreSQL server of the benchmark with Debian's defaults: commits wait for the disk. */
export interface BenchPostgres {
  url: string
  /** Transactions a second of a pgbench script; undefined without pgbench. @param options.mode whether each statement is parsed anew */
  pgbench(script: string, options: { clients: number; seconds: number; mode: 'extended' | 'prepared' }): number | undefined
  /**
   * Does the work that autovacuum does within a minute of the first rows: statements that were planned for empty tables are planned anew.
   */
  analyze(): Promise<void>
  stop(): Promise<void>
}

const debian = '/usr/lib/postgresql'
const superuser = 'bench'

function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}

/** Undefined when PostgreSQL is not installed. */
export async function startPostgres(): Promise<BenchPostgres | undefined> {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const bin = versions.map((version) => join(debian, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
  if (!bin) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-pg-'))
  chmodSync(folder, 0o700)
  const as = account()
  if (as) chownSync(folder, as.uid, as.gid)
  const identity = { ...as, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8'], { ...identity, stdio: 'pipe' })
  const port = await freePort()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-c', 'shared_buffers=128MB']
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], { ...identity, stdio: 'ignore' })
  const url = `postgres://${superuser}@127.0.0.1:${port}/postgres`
  const until = Date.now() + 20_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      break
    } catch (cause) {
      if (Date.now() > until) throw new Error('PostgreSQL did not start', { cause })
      await new Promise((wake) => setTimeout(wake, 100))
    }
  }
  return {
    url,
    pgbench(script, { clients, seconds, mode }) {
      const program = join(bin, 'pgbench')
      if (!existsSync(program)) return undefined
      const args = ['-n', '-M', mode, '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', '-', url]
      const output = execFileSync(program, args, { input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })
      return Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
    },
    async analyze() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('analyze')
      await client.end()
    },
    async stop() {
      const ended = new Promise((done) => server.once('exit', done))
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
