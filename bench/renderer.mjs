// Schema-driven renderers side by side with ours, in real Chromium from traces. `npm run bench:renderer [rounds]`.
// The harness lives beside the project (RENDERER_BENCH, default ../shared/bench/renderers); it is copied, so that its packages can be installed.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

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
const rounds = process.argv[2] ?? '7'
const more = process.argv.slice(3)
const only = more.some((a) => a.startsWith('--only=')) ? [] : ['--only=handwritten,formily,json-render,rjsf,ours']
execFileSync('node', [join(to, 'run.mjs'), rounds, '--ours=bench/renderers/ours.tsx', ...only, ...more], { stdio: 'inherit' })
