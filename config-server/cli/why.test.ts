import { expect, test } from 'vitest'
import type { Answer } from '#config-server/cli/command.ts'
import { whyCommand } from '#config-server/cli/why.ts'

const why = async (...words: string[]): Promise<Answer> =>
  whyCommand.run({ root: '.', words, options: new Map([['logic', '']]), tell: () => undefined })

test.each([
  ["form.amount > 3 and state.side == 'buy'", { and: [{ '>': [{ var: 'form.amount' }, 3] }, { '===': [{ var: 'state.side' }, 'buy'] }] }],
  ['session.logged_in', { var: 'session.logged_in' }],
])('--logic prints the tree of %s', async (expression, tree) => {
  const { ok, text } = await why(expression)
  expect([ok, JSON.parse(text)]).toEqual([true, tree])
})

test('--logic names the column of a mistake', async () => {
  const { ok, text } = await why('form.amount >')
  expect(ok).toBe(false)
  expect(text).toMatch(/^form\.amount >: column \d+: /)
})

test('--logic prints the trees of a part, with their places and without a scope', async () => {
  const { ok, text, json } = await why('fund.withdraw', 'amount')
  expect(ok).toBe(true)
  expect(text).toMatch(/^amount rule 1 {2}\/fields\/\d+\/rules\/0$/m)
  const { conditions } = json as { conditions: { role: string; logic: unknown }[] }
  expect(conditions.length).toBeGreaterThan(1)
  const kinds = conditions.map(({ logic }) => typeof logic)
  expect(kinds).toContain('object')
  expect(kinds).not.toContain('string')
})
