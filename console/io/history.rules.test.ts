import { expect, test } from 'vitest'
import { type History, noHistory, redone, undone, withStep } from '#console/io/history.rules.ts'

const step = (before: string | null, after: string | null, at = 0, together?: string) => ({
  before: { a: before },
  after: { a: after },
  at,
  together,
})
const rows: [what: string, steps: ReturnType<typeof step>[], back: (string | null)[]][] = [
  ['nothing to take back', [], []],
  ['one step', [step('1', '2')], ['1']],
  ['steps one after the other', [step('1', '2'), step('2', '3')], ['2', '1']],
  ['typing in one field is one step', [step('1', '2', 0, 'x'), step('2', '3', 500, 'x')], ['1']],
  ['typing after a pause is another', [step('1', '2', 0, 'x'), step('2', '3', 5_000, 'x')], ['2', '1']],
  ['typing in another field is another', [step('1', '2', 0, 'x'), step('2', '3', 1, 'y')], ['2', '1']],
  ['a file that was made is gone again', [step(null, '1')], [null]],
]
test.each(rows)('%s', (_what, steps, back) => {
  let history: History = steps.reduce(withStep, noHistory)
  const found: (string | null)[] = []
  for (let last = undone(history); last; last = undone(history)) {
    found.push(last.texts.a!)
    history = last.history
  }
  expect(found).toEqual(back)
})

test('what was taken back can be done again, until something else is done', () => {
  const history = withStep(noHistory, step('1', '2'))
  const back = undone(history)!.history
  expect(redone(back)?.texts).toEqual({ a: '2' })
  expect(redone(withStep(back, step('1', '9')))).toBeUndefined()
})

test('keeps a bounded number of steps', () => {
  let history: History = noHistory
  for (let at = 0; at < 500; at++) history = withStep(history, step(String(at), String(at + 1), at * 10_000))
  expect(history.done.length).toBe(200)
  expect(undone(history)?.texts).toEqual({ a: '499' })
})
