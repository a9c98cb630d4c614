import { expect, test } from 'vitest'
import { notesOf, wordOf } from '#console/releases/history.rules.ts'
import type { DraftStep } from '#language/publish/publishing.ts'

const step = (id: number, action: string, reason = ''): DraftStep => ({ id, at: id, actor: 'ann', action, reason, detail: {} })
const rows: [what: string, steps: DraftStep[], note: number | undefined, refusal: number | undefined][] = [
  ['nothing was done', [], undefined, undefined],
  ['submitted without a note', [step(1, 'draft.submit')], undefined, undefined],
  ['submitted with a note', [step(2, 'draft.submit', 'look'), step(1, 'draft.create')], 2, undefined],
  ['sent back', [step(2, 'draft.reject', 'no'), step(1, 'draft.submit', 'look')], 1, 2],
  [
    'submitted again: the refusal stays, the note is that of the last submission',
    [step(3, 'draft.submit', 'mended'), step(2, 'draft.reject', 'no'), step(1, 'draft.submit', 'look')],
    3,
    2,
  ],
  [
    'submitted again without a note',
    [step(3, 'draft.submit'), step(2, 'draft.reject', 'no'), step(1, 'draft.submit', 'look')],
    undefined,
    2,
  ],
]
test.each(rows)('%s', (_what, steps, note, refusal) => {
  const notes = notesOf(steps)
  expect([notes.note?.id, notes.refusal?.id]).toEqual([note, refusal])
})

test('a step without words of its own is known by none', () => {
  expect([wordOf('draft.reject'), wordOf('draft.unknown'), wordOf('constructor')]).toEqual(['reject', undefined, undefined])
})
