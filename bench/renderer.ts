// Compares schema-driven renderers in Chromium, from traces. `npm run bench:renderer [-- rounds]`. The harness is outside the project
// (RENDERER_BENCH, default ../shared/bench/renderers) and is copied, so that its packages can be installed.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { atMost, type Bar, median, report, short } from '#bench/bars.ts'

const from = resolve(process.env.RENDERER_BENCH ?? '../shared/bench/renderers')
const to = join(tmpdir(), 'tessera-renderer-bench')
if (!existsSync(join(from, 'run.mjs'))) {
  console.error(`No harness in ${from}; set RENDERER_BENCH to its folder.`)
  process.exit(1)
}
mkdirSync(to, { recursive: true })
cpSync(from, to, { recursive: true, filter: (path) => !path.includes('node_modules') })
if (!existsSync(join(to, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: to, stdio: 'inherit' })

const given = process.argv.slice(2)
const rounds = given.find((word) => /^\d+$/.test(word)) ?? '7'
const more = given.filter((word) => word.startsWith('--') && !/^--(?:out|strict)/.test(word))
const only = more.some((word) => word.startsWith('--only=')) ? [] : ['--only=handwritten,formily,json-render,rjsf,ours']
const harness = spawn('node', [join(to, 'run.mjs'), rounds, '--ours=bench/renderers/ours.tsx', ...only, ...more], {
  stdio: ['inherit', 'pipe', 'inherit'],
})
let printed = ''
harness.stdout.on('data', (part: Buffer) => {
  printed += part
  process.stdout.write(part)
})
const code = await new Promise<number>((done) => harness.on('close', done))
if (code !== 0) process.exit(code)

type Samples = Record<'form' | 'list', Record<string, Record<string, number>[]>>
const samples = JSON.parse(readFileSync(join(tmpdir(), 'renderer-bench/samples.json'), 'utf8')) as Samples
const rows = [
  ['W1 form, mount script', 'form', 'mountScript', 1.5],
  ['W1 form, script per key', 'form', 'key', 1.3],
  ['W1 form, submit script', 'form', 'submitScript', 1.3],
  ['W2 list, mount script', 'list', 'mountScript', 2],
  ['W2 list, script per update', 'list', 'update', 1.5],
] as const
const bars: Bar[] = rows.flatMap(([name, kind, key, limit]) => {
  const values = (who: string) => (samples[kind][who] ?? []).map((row) => row[key] ?? Number.NaN)
  const [ours, hand] = [values('ours'), values('handwritten')]
  if (ours.length === 0 || hand.length === 0) return []
  const [mine, theirs] = [median(ours), median(hand)]
  return [atMost(`${name} to handwritten`, mine / theirs, limit, ' ×', `${short(mine)} to ${short(theirs)} ms, ${ours.length} rounds`)]
})
const size = /^\| ours \| ([\d.]+) \|.*$/m.exec(printed.slice(printed.indexOf('| W3 bundle')))?.[1]
if (size !== undefined) bars.push(atMost('gzip of the contestant', Number(size), 150, ' kB'))
report('renderer', bars, 'npm run bench:renderer')
