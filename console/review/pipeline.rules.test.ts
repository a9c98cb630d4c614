import { expect, test } from 'vitest'
import { stepsOf } from '#console/review/pipeline.rules.ts'
import type { CheckReport } from '#language/publish/publishing.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const problem = (check: string, severity: LintProblem['severity'] = 'error'): LintProblem => ({
  check,
  severity,
  file: 'f',
  line: 1,
  pointer: '',
  message: 'm',
})
const report = (change: Partial<CheckReport>): CheckReport => ({
  hash: 'h',
  ok: true,
  problems: [],
  reach: [],
  diff: [{ path: 'p', document: 'app/app', state: 'changed', changes: [], screens: [] }],
  screens: [],
  flows: null,
  canRunFlows: true,
  touchesMoney: false,
  ms: 1,
  ...change,
})
const run = (state: 'passed' | 'failed' | 'running', hash = 'h') => ({ hash, state, done: 1, total: 1, results: [], startedAt: 0, by: 'a' })
const rows: [what: string, change: Partial<CheckReport>, states: string][] = [
  ['all is well, flows were not run', {}, 'passed passed passed passed passed open passed'],
  ['flows passed', { flows: run('passed') }, 'passed passed passed passed passed passed passed'],
  ['flows of an older state do not count', { flows: run('passed', 'old') }, 'passed passed passed passed passed open passed'],
  ['flows that failed', { flows: run('failed') }, 'passed passed passed passed passed failed passed'],
  ['a file that cannot be read stops all', { ok: false, problems: [problem('parse')] }, 'failed open open open open open open'],
  ['a wrong path', { ok: false, problems: [problem('paths')] }, 'passed failed passed open open open open'],
  ['a missing word', { ok: false, problems: [problem('locales')] }, 'passed passed failed open open open open'],
  ['a warning stops nothing', { problems: [problem('unused', 'warn')] }, 'passed passed warned passed passed open passed'],
  [
    'a build that cannot show it',
    { reach: [{ caps: 'c', own: true, seenAt: 0, share: 1, older: [], never: ['app/app'] }] },
    'passed passed passed passed warned open passed',
  ],
  ['nothing is changed', { diff: [] }, 'passed passed passed passed passed open open'],
]
test.each(rows)('%s', (_what, change, states) => {
  const steps = stepsOf(report(change))
  expect(steps.map(({ state }) => state).join(' ')).toBe(states)
  expect(steps.flatMap(({ problems }) => problems)).toEqual(report(change).problems)
})
