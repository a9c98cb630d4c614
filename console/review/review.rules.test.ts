import { expect, test } from 'vitest'
import { type Steps, stepsFor } from '#console/review/review.rules.ts'
import type { CheckReport, Draft, FlowRun, Role, Schedule } from '#language/publish/publishing.ts'

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
  ['a submitted draft, for a publisher', ['publisher'], submitted, sound, { approve: 'approver' }],
  ['a submitted draft while checks run', ['approver'], submitted, null, { reject, approve: 'checking' }],
  ['a submitted draft with errors', ['approver'], submitted, broken, { reject, approve: 'errors' }],
  ['a submitted draft whose flows failed', ['approver'], submitted, failed, { reject, approve: 'flows' }],
  ['a submitted draft behind live', ['approver'], { ...submitted, stale: true }, sound, { reject, approve: 'stale' }],
  ['money, for an approver alone', ['approver'], { ...submitted, touchesMoney: true }, sound, { reject, approve: 'administrator' }],
  [
    'money, for an approver who is administrator',
    ['approver', 'administrator'],
    { ...submitted, touchesMoney: true },
    sound,
    { reject, approve: 'open' },
  ],
  ['approved', ['publisher'], { state: 'approved' }, sound, { publish: 'open' }],
  ['approved, for its editor', ['editor'], { state: 'approved' }, sound, { withdraw, publish: 'publisher' }],
  [
    'approved, but behind live',
    everything,
    { state: 'approved', stale: true },
    sound,
    { merge: 'open', withdraw, reject, publish: 'stale' },
  ],
  ['scheduled', everything, { state: 'approved', schedule }, sound, { withdraw: 'scheduled', reject: 'scheduled', cancel: 'open' }],
  ['scheduled, for its editor', ['editor'], { state: 'approved', schedule }, sound, { withdraw: 'scheduled', cancel: 'publisher' }],
  ['published', everything, { state: 'published' }, sound, {}],
  ['dropped', everything, { state: 'dropped', stale: true }, sound, {}],
]
test.each(rows)('%s', (_what, roles, change, report, steps) => {
  expect(stepsFor(ann(roles), draft(change), report)).toEqual(steps)
})
