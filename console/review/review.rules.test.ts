import { expect, test } from 'vitest'
import { type Steps, stepsFor } from '#console/review/review.rules.ts'
import type { CheckReport, Draft, DraftFile, Role, Schedule } from '#language/publishing.ts'

const ann = (roles: Role[]) => ({ id: 1, name: 'ann', roles, frozen: false, createdAt: 0, lastSeenAt: 0, ready: true })
const everything: Role[] = ['viewer', 'editor', 'approver', 'publisher', 'administrator']
const schedule: Schedule = { id: 1, draft: 1, hash: 'h', at: 9, by: 'b', rollout: null, state: 'waiting', reason: '' }
const sound = { hash: 'h', ok: true, touchesMoney: false } as CheckReport
const draft = (change: Partial<Draft>) =>
  ({ id: 1, state: 'open', stale: false, author: 'bob', submittedBy: null, paths: ['p'], schedule: null, ...change }) as Draft
const byAnn = { p: { path: 'p', by: 'ann' } as DraftFile }

const rows: [
  what: string,
  roles: Role[],
  change: Partial<Draft>,
  report: CheckReport | null,
  may: (keyof Steps)[],
  saved?: Record<string, DraftFile>,
][] = [
  ['an open draft', everything, {}, sound, ['submit']],
  ['an open draft, for who only reads', ['viewer'], {}, sound, []],
  ['nothing is changed', everything, { paths: [] }, sound, []],
  ['errors', everything, {}, { ...sound, ok: false }, []],
  ['checks still run', everything, {}, null, []],
  ["another's submitted draft", everything, { state: 'submitted' }, sound, ['withdraw', 'approve', 'reject']],
  ['an own submitted draft', everything, { state: 'submitted', author: 'ann' }, sound, ['withdraw', 'own', 'reject']],
  ['one in which I saved', everything, { state: 'submitted' }, sound, ['withdraw', 'own', 'reject'], byAnn],
  ['one that I submitted', everything, { state: 'submitted', submittedBy: 'ann' }, sound, ['withdraw', 'own', 'reject']],
  ['money, for an approver alone', ['approver'], { state: 'submitted' }, { ...sound, touchesMoney: true }, ['reject']],
  [
    'money, for an approver who is administrator',
    ['approver', 'administrator'],
    { state: 'submitted' },
    { ...sound, touchesMoney: true },
    ['approve', 'reject'],
  ],
  ['approved', ['publisher'], { state: 'approved' }, sound, ['publish']],
  ['approved, but behind live', everything, { state: 'approved', stale: true }, sound, ['withdraw', 'reject', 'merge']],
  ['scheduled', everything, { state: 'approved', schedule }, sound, ['cancel']],
  ['published', everything, { state: 'published' }, sound, []],
  ['dropped', everything, { state: 'dropped', stale: true }, sound, []],
]
test.each(rows)('%s', (_what, roles, change, report, may, saved = {}) => {
  const steps = stepsFor(ann(roles), draft(change), saved, report)
  expect(Object.entries(steps).flatMap(([name, can]) => (can ? [name] : []))).toEqual(may)
})
