import { expect, test } from 'vitest'
import { waitingFor } from '#console/start/waiting.rules.ts'
import type { OperatorInfo } from '#language/publish/operator-accounts.ts'
import type { Draft, Role, Schedule } from '#language/publish/publishing.ts'

const ann = (...roles: Role[]): OperatorInfo => ({ id: 1, name: 'ann', roles, frozen: false, createdAt: 0, lastSeenAt: 0, ready: true })
const draft = (change: Partial<Draft>): Draft => ({
  id: 1,
  name: 'a',
  note: '',
  state: 'open',
  base: 1,
  stale: false,
  author: 'ann',
  createdAt: 0,
  updatedAt: 0,
  paths: [],
  hash: null,
  submittedBy: null,
  hands: [],
  touchesMoney: false,
  approval: null,
  rejection: null,
  schedule: null,
  release: null,
  ...change,
})
const schedule = (at: number): Schedule => ({ id: 1, draft: 1, hash: '', at, by: 'eve', rollout: null, state: 'waiting', reason: '' })

const rows: [what: string, roles: Role[], change: Partial<Draft>, list: string | null][] = [
  ['an own open draft', ['editor'], { hands: ['ann'] }, 'mine'],
  ['an own draft that was sent back', ['editor'], { hands: ['ann'], rejection: { by: 'bob', at: 1, reason: 'no' } }, 'rejected'],
  ['an own submitted draft waits for others', ['approver'], { state: 'submitted', hands: ['ann'] }, 'waiting'],
  ["another's submitted draft", ['approver'], { state: 'submitted', author: 'bob' }, 'review'],
  [
    "another's draft that I submitted is not mine to approve",
    ['approver'],
    { state: 'submitted', author: 'bob', submittedBy: 'ann', hands: ['bob', 'ann'] },
    'waiting',
  ],
  [
    "another's draft in which I wrote is not mine to approve",
    ['approver'],
    { state: 'submitted', author: 'bob', hands: ['bob', 'ann'] },
    'waiting',
  ],
  ['money, for an approver who is no administrator', ['approver'], { state: 'submitted', author: 'bob', touchesMoney: true }, 'blocked'],
  [
    'money, for an approver who is administrator',
    ['approver', 'administrator'],
    { state: 'submitted', author: 'bob', touchesMoney: true },
    'review',
  ],
  ['a submitted draft behind live', ['approver'], { state: 'submitted', author: 'bob', stale: true }, 'blocked'],
  ['an approved draft behind live, for a publisher', ['publisher'], { state: 'approved', author: 'bob', stale: true }, 'blocked'],
  ['the same, for a publisher who may take it over', ['publisher', 'editor'], { state: 'approved', author: 'bob', stale: true }, 'publish'],
  ["another's submitted draft, for one who may not approve", ['editor'], { state: 'submitted', author: 'bob' }, null],
  ['an approved draft, for a publisher', ['publisher'], { state: 'approved', author: 'bob' }, 'publish'],
  ['an own approved draft, for one who may not publish', ['editor'], { state: 'approved', hands: ['ann'] }, 'waiting'],
  ['a scheduled draft', ['viewer'], { state: 'approved', author: 'bob', schedule: schedule(5) }, 'scheduled'],
  [
    'a schedule that was refused no longer counts',
    ['publisher'],
    { state: 'approved', schedule: { ...schedule(5), state: 'refused' } },
    'publish',
  ],
  ["another's open draft", ['editor', 'approver', 'publisher'], { author: 'bob' }, null],
  ['what is published', ['publisher'], { state: 'published' }, null],
  ['what was dropped', ['editor'], { state: 'dropped' }, null],
]

test.each(rows)('%s', (_what, roles, change, list) => {
  const lists = waitingFor(ann(...roles), [draft(change)])
  expect(Object.entries(lists).flatMap(([name, drafts]) => (drafts.length ? [name] : []))).toEqual(list ? [list] : [])
})

test('what goes live first stands first', () => {
  const lists = waitingFor(ann('viewer'), [draft({ id: 1, schedule: schedule(9) }), draft({ id: 2, schedule: schedule(3) })])
  expect(lists.scheduled.map(({ id }) => id)).toEqual([2, 1])
})
