import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error plain JavaScript
import { ensureBuilt } from '#scripts/build.mjs'

export const projectRoot = join(import.meta.dirname, '../../..')

export interface Product {
  /** `http://127.0.0.1:40123` */
  origin: string
  process: ChildProcess
  output(): string
  errors(): string
  /** Exit code after the end; null after a kill. */
  ended: Promise<number | null>
  /** Stops it and removes its data. */
  stop(): Promise<number | null>
}

/** An installed and built product that is started by a user who cannot write it. */
export interface ReadOnlyProduct {
  /** Folder of the copy; its node_modules are those of the project. */
  root: string
  /** Folder that the user may write: for DATA_DIR, and the home of npm. */
  own: string
  /** The user; undefined when it is that of the tests, who then has no permission to write. */
  account: { uid: number; gid: number } | undefined
  /** Whether the user can be kept from writing: root can write everything. */
  isKeptOut: boolean
  /** Files and folders of the copy that were changed, added or removed since it was made. */
  written(): string[]
  remove(): void
}

let built: Promise<boolean> | undefined

/** Collects the output of a process. @param signal sends a signal to the process and its children @param remove cleans up after its end */
function watched(child: ChildProcess, signal: (name: NodeJS.Signals) => void, remove: () => Promise<void>): Omit<Product, 'origin'> {
  let output = ''
  let errors = ''
  child.stdout!.on('data', (part) => {
    output += part
  })
  child.stderr!.on('data', (part) => {
    errors += part
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) signal('SIGTERM')
      const late = setTimeout(() => signal('SIGKILL'), 15_000)
      const code = await ended
      clearTimeout(late)
      await remove()
      return code
    },
  }
}

/**
 * Starts the built server without waiting until it is ready.
 * @param script another server to run, relative to the project; it builds what it needs
 */
export async function launch(env: Record<string, string> = {}, script?: string): Promise<Omit<Product, 'origin'>> {
  if (script === undefined) await (built ??= ensureBuilt(projectRoot))
  const data = await mkdtemp(join(tmpdir(), 'tessera-data-'))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(projectRoot, script ?? 'dist/server/main.js')], {
    cwd: projectRoot,
    env: { PATH, HOME, NODE_ENV: 'production', PORT: '0', DATA_DIR: data, LOG_LEVEL: 'warn', ...env },
  })
  return watched(
    child,
    (name) => void child.kill(name),
    () => rm(data, { recursive: true, force: true }),
  )
}

/** `npm start` as README says, with no setting but a port and a folder for its data, which stays; by a user who cannot write the product. */
export async function startAsReadmeSays({ root, own, account }: ReadOnlyProduct): Promise<Product> {
  const env = { PATH: process.env.PATH, HOME: own, PORT: '0', DATA_DIR: join(own, 'data') }
  // A process group of its own, so that a signal reaches the server behind npm.
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, ...account })
  const signal = (name: NodeJS.Signals) => void process.kill(-child.pid!, name)
  return whenReady(watched(child, signal, async () => {}))
}

/** Runs the built product on a free port with an empty folder of data. @throws Error with its output when it ends before it is ready */
export async function startProduct(env: Record<string, string> = {}, withinMs = 180_000, script?: string): Promise<Product> {
  return whenReady(await launch(env, script), withinMs)
}

async function whenReady(product: Omit<Product, 'origin'>, withinMs = 180_000): Promise<Product> {
  const until = performance.now() + withinMs
  let over = false
  void product.ended.then(() => {
    over = true
  })
  for (;;) {
    const origin = /^ready (http:\/\/\S+)\/$/m.exec(product.output())?.[1]
    if (origin) return { ...product, origin }
    if (over || performance.now() > until) {
      await product.stop()
      throw new Error(`The server did not get ready.\n${product.output()}${product.errors()}`)
    }
    await new Promise((done) => setTimeout(done, 20))
  }
}
