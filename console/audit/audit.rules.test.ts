import { expect, test } from 'vitest'
import { changeOf, placeOfSubject } from '#console/audit/audit.rules.ts'

test.each([
  ['draft 12', { to: '/draft/12/review', draft: 12 }],
  ['release 7', { to: '/release/7' }],
  ['operator draft 12', undefined],
  ['operator ann', undefined],
  ['draft x', undefined],
  ['audit', undefined],
])('%s leads to %j', (subject, place) => {
  expect(placeOfSubject(subject)).toEqual(place)
})

test.each([
  [
    { path: 'schemas/app.json', before: null, after: 'a' },
    { kind: 'file', path: 'schemas/app.json' },
  ],
  [{ path: 'schemas/app.json' }, undefined],
  [
    { from: ['editor'], to: ['editor', 'approver'] },
    { kind: 'values', before: 'editor', after: 'editor, approver' },
  ],
  [
    { from: 10, to: 50 },
    { kind: 'values', before: '10', after: '50' },
  ],
  [{ from: {}, to: 'x' }, undefined],
  [{ name: 'Gold' }, undefined],
])('%j tells of %j', (detail, change) => {
  expect(changeOf({ detail })).toEqual(change)
})
