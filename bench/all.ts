import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Report, short, tableOf } from '#bench/bars.ts'
import { projectRoot, startFlags } from '#bench/product.ts'

/**
 * Runs all benchmarks one after the other and prints one table: `npm run bench [-- --strict]`. The figures replace the marked part of
 * docs/benchmarks.md. Other arguments are passed to all parts, so `-- --rounds=3` is a quick run.
 */
const parts = [
  ...['bench/renderer.ts', 'bench/load/run.ts', 'bench/server/run.ts', 'bench/trading/matching.ts', 'bench/trading/triggers.ts'],
  ...['bench/trading/orders.ts', 'bench/language.ts', 'bench/documents.ts'],
]
const [begin, end] = ['<!-- measured: written by npm run bench -->', '<!-- end of what is measured -->']
const words = process.argv.slice(2)
const rounds = words.find((word) => word.startsWith('--rounds='))?.slice('--rounds='.length)

const dir = mkdtempSync(join(tmpdir(), 'tessera-bench-'))
const reports: Report[] = []
const failed: string[] = []
for (const [i, part] of parts.entries()) {
  const out = join(dir, `${i}.json`)
  const own = part === 'bench/renderer.ts' ? (rounds ? [rounds] : []) : words
  // As `npm start` runs the server.
  const flags = part === 'bench/trading/triggers.ts' ? startFlags() : []
  spawnSync(process.execPath, [...flags, '--import', 'tsx', part, ...own, `--out=${out}`], { cwd: projectRoot, stdio: 'inherit' })
  if (existsSync(out)) reports.push(JSON.parse(readFileSync(out, 'utf8')) as Report)
  else failed.push(part)
}
rmSync(dir, { recursive: true, force: true })

const all = reports.flatMap(({ title, bars }) => bars.map((bar) => ({ ...bar, name: `${title}: ${bar.name}` })))
console.log(`\n${tableOf({ title: 'all', bars: all })}\n`)
for (const part of failed) console.error(`${part} ended without figures`)

const about = ({ command, load }: Report) =>
  `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, load at the end ${load.map(short).join(' ')}.`
const section = reports.map((one) => `### ${one.title}\n\n${about(one)}\n\n${tableOf(one)}`).join('\n\n')
const file = join(projectRoot, 'docs/benchmarks.md')
const doc = readFileSync(file, 'utf8')
const [from, to] = [doc.indexOf(begin), doc.indexOf(end)]
if (from < 0 || to < from) throw new Error(`${file} has no place between "${begin}" and "${end}"`)
if (failed.length === 0) writeFileSync(file, `${doc.slice(0, from + begin.length)}\n\n${section}\n\n${doc.slice(to)}`)
if (failed.length || (words.includes('--strict') && all.some(({ met }) => met === false))) process.exitCode = 1
