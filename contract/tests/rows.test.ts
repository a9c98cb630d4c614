import { expect, test } from 'vitest'
import * as z from 'zod'
import { integerText, rowsText } from '#contract/fields.ts'

const input = z.object({ exits: rowsText(z.object({ price: z.string().min(1), share: integerText(1, 100) }), 2).optional() })

test.each<[string, string | undefined, unknown]>([
  [
    'two rows',
    '[{"price":"1","share":"40"},{"price":"2","share":"60"}]',
    [
      { price: '1', share: 40 },
      { price: '2', share: 60 },
    ],
  ],
  ['no rows', '[]', []],
  ['nothing', undefined, undefined],
])('%s', (_, exits, read) => {
  expect(input.parse({ exits })).toEqual({ exits: read })
})

test.each([
  ['no JSON', '[{', 'exits'],
  ['another JSON', '{"price":"1"}', 'exits'],
  ['a text', 'x', 'exits'],
  ['too many', '[{"price":"1","share":"1"},{"price":"1","share":"1"},{"price":"1","share":"1"}]', 'exits'],
  ['a member that is wrong', '[{"price":"1","share":"1"},{"price":"2","share":"101"}]', 'exits.1.share'],
])('%s is refused, and the row is named', (_, exits, path) => {
  const { error } = input.safeParse({ exits })
  expect(error?.issues[0]?.path.join('.')).toBe(path)
})
