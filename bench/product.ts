import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..')

export interface Running {
  origin: string
  pid: number
  /** Time from spawning the process to its first answer. */
  startMs: number
  stop(): Promise<void>
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'tessera-bench-'))
export const removeDir = (dir: string): void => rmSync(dir, { recursive: true, force: true })

/** Runs a script that prints `ready <origin>` when it listens. @throws Error with its output when it ends before */
export async function run(args: readonly string[], env: Record<string, string>): Promise<Running> {
  const { PATH, HOME } = process.env
  const from = performance.now()
  const child = spawn(process.execPath, args, { cwd: projectRoot, env: { PATH, HOME, NODE_ENV: 'production', ...env } })
  const origin = await readyOrigin(child)
  const startMs = performance.now() - from
  return {
    origin,
    pid: child.pid!,
    startMs,
    async stop() {
      if (child.exitCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(late)
    },
  }
}

function readyOrigin(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((done, fail) => {
    const read = (part: Buffer) => {
      output += part
      const origin = /^ready (http:\/\/[^\s/]+)/m.exec(output)?.[1]
      if (origin) done(origin)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => fail(new Error(`ended with ${code} before it was ready\n${output}`)))
  })
}

/** Flags of Node with which `npm start` runs the server. */
export const startFlags = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const flags = scripts.start.match(/--[\w-]+=\d+/g)
  if (!flags) throw new Error('npm start sets no flags of Node')
  return flags
}

/** Starts the built product on a free port, as `npm start` does. */
export const startProduct = (dataDir: string, env: Record<string, string> = {}): Promise<Running> =>
  run([...startFlags(), join(projectRoot, 'dist/server/main.js')], {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    FEED: 'simulator',
    ...env,
  })
