import { expect, test } from 'vitest'
import * as z from 'zod'
import { chosenTwice } from '#console/account/password.rules.ts'

const schema = chosenTwice(z.object({ next: z.string().max(20), again: z.string() }), 'next')
test.each<[next: string, again: string, issues: string[]]>([
  ['quiet-river-24', 'quiet-river-24', []],
  ['quiet-river-24', 'quiet-river-25', ['again different']],
  ['elevenchars', 'elevenchars', ['next short']],
  ['🔑🔑🔑🔑🔑🔑', '', ['next short']],
  ['longer than the call takes', 'x', ['next too_big', 'again different']],
])('%s and %s', (next, again, issues) => {
  const found = schema.safeParse({ next, again }).error?.issues ?? []
  expect(found.map(({ path, code, message }) => `${path.join()} ${code === 'custom' ? message : code}`)).toEqual(issues)
})
