import { expect, test } from 'vitest'
import { type Steps, stepsFor, stepsOf } from '#console/review/review.rules.ts'
import type { CheckReport, Draft, FlowRun, Role, Schedule } from '#language/publish/publishing.ts'
import type { LintProblem } from '#language/types/catalog.ts'

const ann = (roles: Role[]) => ({ id: 1, name: 'ann', roles, frozen: false, createdAt: 0, lastSeenAt: 0, ready: true })
const everything: Role[] = ['viewer', 'editor', 'approver', 'publisher', 'administrator']
const schedule: Schedule = { id: 1, draft: 1, hash: 'h', at: 9, by: 'b', rollout: null, state: 'waiting', reason: '' }
const sound = { hash: 'h', ok: true, flows: null } as CheckReport
const broken = { ...sound, ok: false }
const failed = { ...sound, flows: { hash: 'h', state: 'failed' } as FlowRun }
const draft = (change: Partial<Draft>) =>
  ({ id: 1, state: 'open', stale: false, hands: ['bob'], touchesMoney: false, paths: ['p'], schedule: null, ...change }) as Draft
const submitted = { state: 'submitted' } as const
const [withdraw, reject] = ['open', 'open'] as const

const rows: [what: string, roles: Role[], change: Partial<Draft>, report: CheckReport | null, steps: Steps][] = [
  ['an open draft', everything, {}, sound, { submit: 'open' }],
  ['an open draft, for who only reads', ['viewer'], {}, sound, { submit: 'editor' }],
  ['nothing is changed', everything, { paths: [] }, sound, { submit: 'empty' }],
  ['errors', everything, {}, broken, { submit: 'errors' }],
  ['checks still run', everything, {}, null, { submit: 'checking' }],
  ['an open draft behind live', everything, { stale: true }, sound, { submit: 'stale', merge: 'open' }],
  ["another's submitted draft", everything, submitted, sound, { withdraw, reject, approve: 'open' }],
  ['one in which I had a hand', everything, { ...submitted, hands: ['bob', 'Ann'] }, sound, { withdraw, reject, approve: 'own' }],
  ['a submitted draft, for a publisher', ['publisher'], submitted, sound, { withdraw: 'editor', reject: 'approver', approve: 'approver' }],
  ['a submitted draft while checks run', ['approver'], submitted, null, { withdraw: 'editor', reject, approve: 'checking' }],
  ['a submitted draft with errors', ['approver'], submitted, broken, { withdraw: 'editor', reject, approve: 'errors' }],
  ['a submitted draft whose flows failed', ['approver'], submitted, failed, { withdraw: 'editor', reject, approve: 'flows' }],
  ['a submitted draft behind live', ['approver'], { ...submitted, stale: true }, sound, { withdraw: 'editor', reject, approve: 'stale' }],
  [
    'money, for an approver alone',
    ['approver'],
    { ...submitted, touchesMoney: true },
    sound,
    { withdraw: 'editor', reject, approve: 'administrator' },
  ],
  [
    'money, for an approver who is administrator',
    ['approver', 'administrator'],
    { ...submitted, touchesMoney: true },
    sound,
    { withdraw: 'editor', reject, approve: 'open' },
  ],
  ['approved', ['publisher'], { state: 'approved' }, sound, { withdraw: 'editor', reject: 'approver', publish: 'open' }],
  ['approved, for its editor', ['editor'], { state: 'approved' }, sound, { withdraw, reject: 'approver', publish: 'publisher' }],
  [
    'approved, but behind live',
    everything,
    { state: 'approved', stale: true },
    sound,
    { merge: 'open', withdraw, reject, publish: 'stale' },
  ],
  ['scheduled', everything, { state: 'approved', schedule }, sound, { withdraw: 'scheduled', reject: 'scheduled', cancel: 'open' }],
  [
    'scheduled, for its editor',
    ['editor'],
    { state: 'approved', schedule },
    sound,
    { withdraw: 'scheduled', reject: 'approver', cancel: 'publisher' },
  ],
  ['published', everything, { state: 'published' }, sound, {}],
  ['dropped', everything, { state: 'dropped', stale: true }, sound, {}],
]
test.each(rows)('%s', (_what, roles, change, report, steps) => {
  expect(stepsFor(ann(roles), draft(change), report)).toEqual(steps)
})

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
const flowRun = (state: 'passed' | 'failed' | 'running', hash = 'h') => ({
  hash,
  state,
  done: 1,
  total: 1,
  results: [],
  startedAt: 0,
  by: 'a',
})
const reports: [what: string, change: Partial<CheckReport>, states: string][] = [
  ['all is well, flows were not run', {}, 'passed passed passed passed passed open passed'],
  ['flows passed', { flows: flowRun('passed') }, 'passed passed passed passed passed passed passed'],
  ['flows of an older state do not count', { flows: flowRun('passed', 'old') }, 'passed passed passed passed passed open passed'],
  ['flows that failed', { flows: flowRun('failed') }, 'passed passed passed passed passed failed passed'],
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
test.each(reports)('%s', (_what, change, states) => {
  const steps = stepsOf(report(change))
  expect(steps.map(({ state }) => state).join(' ')).toBe(states)
  expect(steps.flatMap(({ problems }) => problems)).toEqual(report(change).problems)
})
