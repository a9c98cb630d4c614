import { expect, test } from 'vitest'
import { adviceOf } from '#api-server/ledger/audit/advice.rules.ts'
import { allChecks } from '#api-server/ledger/audit/audit.ts'

test.each([...new Set(allChecks.map(({ name }) => name))])('a breach of %s is explained in a sentence, with a next step', (name) => {
  const { means, todo } = adviceOf[name]
  expect(means).toMatch(/^[A-Z].{30,}\.$/)
  expect(todo).toMatch(/^[A-Z].{30,}\.$/)
})
test('nobody is advised about a promise that no check keeps', () => {
  expect(Object.keys(adviceOf).sort()).toEqual([...new Set(allChecks.map(({ name }) => name))].sort())
})
