import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '#contract/contract.ts'

/** A list that is asked for by a status takes every word that its rows carry; it may take words of older apps and of lists besides. */

interface Schema {
  enum?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}
const schemaOf = (type: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema
const asked = Object.entries(contract).flatMap(([name, row]) => {
  const input = schemaOf(row.input, 'input').properties?.status?.enum
  const output = schemaOf(row.output, 'output').properties?.list?.items?.properties?.status?.enum
  return input && output ? [[name, input, output] as const] : []
})
/** States of a contract position in which a copy of it never stands. */
const never: Record<string, readonly string[]> = { 'follow.copies': ['entrust', 'cancelled'] }

test('lists with a status are found', () => {
  expect(asked.map(([name]) => name)).toEqual(expect.arrayContaining(['lever.orderList', 'c2c.orderList', 'mic.orderList', 'otc.orders']))
})
test.each(asked)('%s takes the words of its rows', (name, input, output) => {
  expect(output.filter((word) => !input.includes(word) && !never[name]?.includes(word))).toEqual([])
})
