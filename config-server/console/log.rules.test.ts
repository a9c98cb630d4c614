import { expect, test } from 'vitest'
import { placeOfSubject, shownLogRow } from '#config-server/console/log.rules.ts'
import { logRow } from '#contract/console/console.rows.ts'
import type { AuditRow } from '#language/publish/publishing.ts'

const idOf = (name: string) => (name === 'ann' ? 5 : 0)

test.each([
  ['draft 12', { leads_to: 'draft', number: 12 }],
  ['release 7', { leads_to: 'release', number: 7 }],
  ['operator ann', { leads_to: 'operator', number: 5 }],
  ['operator draft 12', { leads_to: 'none', number: 0 }],
  ['draft x', { leads_to: 'none', number: 0 }],
  ['draft 1234567890123456', { leads_to: 'none', number: 0 }],
  ['audit', { leads_to: 'none', number: 0 }],
])('%s leads to %j', (subject, place) => {
  expect(placeOfSubject(subject, idOf)).toEqual(place)
})

const shown = (action: string, detail: Record<string, unknown>, more: Partial<AuditRow> = {}) => {
  const row = {
    id: 1,
    at: 5,
    actor: 'bea',
    action,
    subject: 'draft 3',
    fromHash: null,
    toHash: null,
    reason: '',
    detail,
    chain: 'c',
    ...more,
  }
  // Every row has the form that the contract promises.
  return logRow.parse(shownLogRow(row, '', idOf))
}
const linesOf = ({ changes, details, file }: ReturnType<typeof shown>) => [
  ...(file ? [`file ${file}`] : []),
  ...changes.map(({ name, choice, before, after }) => `${name} ${choice}: ${before.join()} → ${after.join()}`),
  ...details.map(({ name, choice, values }) => `${name} ${choice}: ${values.join()}`),
]
const rollout = (percent: number, segment: object = {}) => ({ percent, segment })

test.each<[action: string, detail: Record<string, unknown>, lines: string[]]>([
  ['draft.save', { path: 'schemas/app.json', before: null, after: 'a' }, ['file schemas/app.json']],
  ['draft.save', { path: 'schemas/app.json' }, []],
  [
    'draft.create',
    { name: 'Gold', base: 4, from: 2, paths: ['a.json', 'b.json'] },
    ['name : Gold', 'base : 4', 'copied_from : 2', 'files : a.json,b.json'],
  ],
  ['draft.merge', { from: 4, onto: 6, choices: {} }, ['base : 4 → 6']],
  ['draft.flows', { state: 'failed', total: 9, failed: ['home'] }, ['flows flows: failed', 'flows_total : 9', 'failed : home']],
  ['draft.schedule', { at: 1_800_000_000_000, rollout: rollout(5) }, ['due : 2027-01-15 08:00 UTC', 'percent : 5 %']],
  ['operator.roles', { from: ['editor'], to: ['editor', 'approver'] }, ['roles role: editor → editor,approver']],
  ['operator.invite', { roles: ['viewer'] }, ['roles role: viewer']],
  ['operator.login', { agent: 'Firefox', ended: 1 }, ['device : Firefox', 'ended : 1']],
  [
    'release.rollout',
    { from: rollout(10, { kyc: 1 }), to: rollout(50, { kyc: 1, languages: ['fr', 'ja'], loggedIn: true }) },
    ['percent : 10 % → 50 %', 'languages :  → fr,ja', 'logged_in yes:  → true'],
  ],
  ['release.rollback', { from: 8, to: 6, forced: true }, ['live : 8 → 6', 'forced yes: true']],
  [
    'release.publish',
    { draft: 3, flows: 'not-run', emergency: true, schedule: 2 },
    ['draft : 3', 'flows flows: not-run', 'emergency yes: true'],
  ],
  ['audit.export', { actor: 'ann', from: 1_800_000_000_000 }, ['actor : ann', 'from : 2027-01-15 08:00 UTC']],
  ['draft.rename', { constructor: 'x', unheard: 1, note: '' }, []],
])('%s with %j is shown as %j', (action, detail, lines) => {
  expect(linesOf(shown(action, detail))).toEqual(lines)
})

test('a refusal says its reason in words, and every other row the reason as it was typed', () => {
  const refused = shown('draft.refused', { step: 'publish', problems: 2, first: '{"code":"x"}' }, { reason: 'checks_failed' })
  expect([refused.reason, linesOf(refused)]).toEqual([
    '',
    ['refusal refusal: checks_failed', 'step step: publish', 'problems : 2', 'first : {"code":"x"}'],
  ])
  expect(shown('release.publish', {}, { reason: 'Gold week' }).reason).toBe('Gold week')
})

test('an action that this build does not know is named', () => {
  const { action, details } = shown('outbox.read', { name: 'x' })
  expect([action, details]).toMatchObject(['earlier', [{ name: 'action', values: ['outbox.read'] }, { name: 'name' }]])
})

test('long lists end where the contract ends them', () => {
  const { details } = shown('draft.import', { paths: Array.from({ length: 500 }, (_, i) => `f${i}`) })
  expect(details[0]?.values.length).toBe(100)
})
