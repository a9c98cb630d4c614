import { expect, test } from 'vitest'
import { subjectsFrom } from '#console/editor/conditions/subjects.rules.ts'
import { hintsAt } from '#console/editor/values/hints.rules.ts'
import { pathsFrom } from '#console/editor/values/paths.rules.ts'
import { createWords } from '#console/io/words.ts'
import type { Types } from '#language/types/types.ts'

const record = (properties: Record<string, object>) => ({ type: 'object', properties })
const rows = { type: 'array', items: record({ price: { type: 'string' }, product: { type: 'string' }, status: { type: 'string' } }) }
const types = {
  session: record({
    logged_in: { type: 'boolean' },
    kyc: { type: 'integer' },
    state: { type: 'string', enum: ['visitor', 'checking', 'customer'] },
    language: { type: 'string', enum: ['en', 'th'] },
  }),
  data: record({ orders: record({ list: rows }), order: record({ status: { type: 'string', enum: ['open', 'filled', 'cancelled'] } }) }),
  values: record({ fee: { type: 'string', decimal: true } }),
  params: record({ symbol: { type: 'string' } }),
  form: record({ amount: { type: 'string', decimal: true } }),
  item: record({ status: { type: 'string', enum: ['open', 'closed'] }, id: { type: 'integer' } }),
  segment: record({ verified: { type: 'boolean' } }),
} as unknown as Types
const { say } = await createWords('en')
const names = { segments: { verified: 'Verified customers' }, fields: {}, languages: { en: 'English', th: 'ไทย' } }
const subjects = subjectsFrom(types, names, say)
const hints = (before: string) =>
  hintsAt(before, types, subjects, (typed) => pathsFrom(types, typed, say)).map(({ insert, from }) => before.slice(0, from) + insert)

test.for([
  ['verified', ['segment.verified', 'session.kyc >= 1']],
  ['session.k', ['session.kyc']],
  ['session.kyc >= ', ['session.kyc >= 0', 'session.kyc >= 1', 'session.kyc >= 2']],
  ['session.logged_in = ', ['session.logged_in = true', 'session.logged_in = false']],
  ["session.state = 'c", ["session.state = 'checking'", "session.state = 'customer'"]],
  ['session.language = ', ["session.language = 'en'", "session.language = 'th'"]],
  [
    "data.order.status in ['open', ",
    ["data.order.status in ['open', 'open'", "data.order.status in ['open', 'filled'", "data.order.status in ['open', 'cancelled'"],
  ],
  ['item.', ['item.status', 'item.id']],
  ["item.status = 'cl", ["item.status = 'closed'"]],
  ['filter(data.orders.list, .pr', ['filter(data.orders.list, .price', 'filter(data.orders.list, .product']],
  ['values.f', ['values.fee']],
  ['params.s', ['params.symbol']],
  ['form.a', ['form.amount']],
  ['segment.', ['segment.verified']],
  ['1 + ', []],
] as const)('%s goes on as %j', ([before, wanted]) => {
  expect(hints(before)).toEqual(wanted)
})
