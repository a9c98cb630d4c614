import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled } from '#tests/support/house/bundle.ts'
import { firstOf, isFull } from '#tests/support/house/sizes.ts'

let child: Awaited<ReturnType<typeof bundled>>
let dataDir: string
const processes: ChildProcess[] = []

interface Run {
  lines: string[]
  errors: string
  signal: NodeJS.Signals | null
}
/** @param onLine receives each line, and the way to kill it */
async function run(task: string, end?: number, onLine?: (line: string, kill: () => void) => void): Promise<Run> {
  const one = spawn(process.execPath, [child.file, dataDir, task, ...(end === undefined ? [] : [String(end)])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processes.push(one)
  const lines: string[] = []
  let errors = ''
  one.stderr.on('data', (part) => {
    errors += part
  })
  createInterface(one.stdout).on('line', (line) => {
    lines.push(line)
    onLine?.(line, () => one.kill('SIGKILL'))
  })
  const signal = await new Promise<NodeJS.Signals | null>((done) => one.once('close', (_code, by) => done(by)))
  return { lines, errors, signal }
}
const numberAfter = (word: string, { lines }: Run) =>
  Number(lines.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? Number.NaN)

beforeAll(async () => {
  child = await bundled('tests/support/killed/store-child.ts')
  dataDir = mkdtempSync(join(tmpdir(), 'tessera-start-'))
  await run('close')
})
afterAll(() => {
  for (const one of processes) one.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
  child?.remove()
})

/** Changes by their number, from 1: every one in a full run, otherwise three of different kinds. */
function placesOf({ lines }: Run): { place: number; change: string }[] {
  const changes = lines.flatMap((line) => (line.startsWith('change ') ? [line.slice(7).replace(dataDir, '')] : []))
  const all = changes.map((change, at) => ({ place: at + 1, change }))
  const step = isFull ? 1 : Math.ceil(all.length / 3)
  return all.filter((_, at) => at % step === 0)
}

test('a start and an end that are killed at any of their changes of files are followed by a start that finds everything', {
  tags: 'full',
}, async () => {
  let stored = numberAfter('ack', await run('write', undefined, (line, kill) => line === 'ack 200' && kill()))
  const whole = await run('close', 0)
  expect(whole).toMatchObject({ errors: '', signal: null })
  // Of the one that was killed, too, the last may have been stored untold.
  expect([stored, stored + 1]).toContain(numberAfter('entries', whole))
  stored = numberAfter('ack', whole)
  const places = placesOf(whole)
  expect(places.length).toBeGreaterThanOrEqual(isFull ? 100 : 3)
  const wrong: string[] = []
  let killed = 0
  for (const { place, change } of [...places, { place: 1e9, change: 'the end' }]) {
    const one = await run('close', place)
    if (one.signal) killed++
    if (one.errors) wrong.push(`before ${change}: ${one.errors}`)
    const found = numberAfter('entries', one)
    if (Number.isNaN(found)) continue
    // A change without an acknowledgement may have been stored.
    if (found !== stored && found !== stored + 1) wrong.push(`before ${change}: ${found} in place of ${stored}`)
    stored = Math.max(found, numberAfter('ack', one) || 0)
  }
  expect(wrong).toEqual([])
  expect(killed).toBeGreaterThan(0)
})

test('what the engine left of its own lock is no obstacle, and nothing stays behind', { tags: 'full' }, async () => {
  for (const left of firstOf(['', '12345\n/elsewhere\n', 'x', '-42'], 2)) {
    writeFileSync(join(dataDir, 'pg', 'postmaster.pid'), left)
    expect(await run('close')).toMatchObject({ errors: '', lines: ['open', 'closed'] })
    expect(readdirSync(dataDir).sort()).toEqual(['pg', 'tessera-marker.json'])
  }
})

test('of many that start at once after a kill one gets the folder', { tags: 'full' }, async () => {
  await run('hold', undefined, (line, kill) => line === 'open' && kill())
  const kills: (() => void)[] = []
  let refused = 0
  const endWhenDecided = () => {
    if (kills.length + refused >= all.length) for (const kill of kills) kill()
  }
  const all = Array.from({ length: 6 }, () =>
    run('hold', undefined, (_line, kill) => {
      kills.push(kill)
      endWhenDecided()
    }),
  )
  for (const one of all)
    void one.then(({ signal }) => {
      if (!signal) refused++
      endWhenDecided()
    })
  const ended = await Promise.all(all)
  expect(ended.filter(({ signal }) => signal === 'SIGKILL')).toHaveLength(1)
  for (const { errors, signal } of ended) if (!signal) expect(errors).toMatch(/is in use by process \d+/)
  expect(kills).toHaveLength(1)
  await run('close')
  expect(readdirSync(dataDir).sort()).toEqual(['pg', 'tessera-marker.json'])
})
