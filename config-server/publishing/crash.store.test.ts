import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEngines } from '#tests/support/databases/engines.ts'
import { sized } from '#tests/support/house/sizes.ts'
import type { KilledState } from '#tests/support/servers/publish-child.ts'

const root = join(import.meta.dirname, '../..')
/** Below node_modules, so that the child finds its packages. */
const built = mkdtempSync(join(root, 'node_modules/.publish-child-'))
const children: ChildProcess[] = []
beforeAll(() =>
  build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: 'tests/support/servers/publish-child.ts', outDir: built, emptyOutDir: false, copyPublicDir: false },
  }),
)
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(built, { recursive: true, force: true })
})

interface Child {
  process: ChildProcess
  acked: number
  /** The state that it found when it opened the database; it publishes from then on. */
  state: Promise<KilledState>
  /** Its first release is reported. */
  published: Promise<void>
  ended: Promise<unknown>
  begin(): void
}

function start(dataDir: string, databaseUrl = ''): Child {
  const args = [join(built, 'publish-child.js'), dataDir, databaseUrl]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const ended = new Promise((done) => child.once('close', done))
  let tell: () => void = () => undefined
  const published = new Promise<void>((done) => {
    tell = done
  })
  const one: Child = {
    process: child,
    acked: 0,
    published,
    ended,
    begin: () => void child.stdin.write('go\n'),
    state: new Promise((done, fail) => {
      createInterface(child.stdout).on('line', (line) => {
        if (line.startsWith('state ')) done(JSON.parse(line.slice(6)) as KilledState)
        if (!line.startsWith('ack ')) return
        one.acked = Number(line.slice(4))
        tell()
      })
      void ended.then(() => fail(new Error('the child ended before it said what it found')))
    }),
  }
  one.state.catch(() => undefined)
  return one
}

const kills = sized(3, 14)

onEngines('a server that is killed while it publishes', (engine) => {
  test('has the old release or the new one, whole, and the log says the same', async () => {
    const { dataDir, databaseUrl } = await engine.place('empty')
    let acked = 1
    let began = 1
    let moved = 0
    let publishMs = 0
    // The next one loads its code while this one works: that is most of a start.
    let next = start(dataDir, databaseUrl)
    for (let i = 0; i <= kills; i += 1) {
      const child = next
      if (i < kills) next = start(dataDir, databaseUrl)
      child.begin()
      const found = await child.state
      // Old: the last one that was reported. New: the one that was on its way.
      expect([acked, acked + 1]).toContain(found.stable)
      if (found.stable > began) moved += 1
      began = found.stable
      expect(found).toEqual({
        stable: began,
        newest: began,
        served: began,
        candidate: null,
        halfPublished: 0,
        // Of the release, of a document and a word among its sources, and of the row in the log.
        marks: began === 1 ? found.marks : Array(4).fill(`m${began}`),
        audit: { ok: true, publishes: began - 1 },
      })
      if (i === 0) {
        const from = performance.now()
        await child.published
        publishMs = performance.now() - from
      } else if (i < kills) await new Promise((done) => setTimeout(done, Math.random() * 1.5 * publishMs))
      child.process.kill('SIGKILL')
      await child.ended
      acked = Math.max(child.acked, began)
    }
    expect(moved).toBeGreaterThan(0)
  })
})
