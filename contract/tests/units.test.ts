import { expect, test } from 'vitest'
import manifest from '#contract/manifest.json' with { type: 'json' }
import office from '#contract/office.manifest.json' with { type: 'json' }

interface Schema {
  decimal?: boolean
  unit?: string
  coin?: string | boolean
  per?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Finds decimals without a unit, and units whose currency is neither a code nor a member `coin: true` of the same or an outer row. */
function* wrongIn(schema: Schema, rows: readonly Schema[], place: string): Generator<string> {
  if (schema.decimal && schema.unit === undefined) yield `${place} has no unit`
  for (const name of [schema.coin, schema.per]) {
    if (typeof name !== 'string' || /^[A-Z]+$/.test(name)) continue
    const row = rows.findLast(({ properties }) => properties && name in properties)
    // A quote is part of an instrument, and stands alone on the feed.
    if (row?.properties?.[name]?.coin !== true) yield `${place} names "${name}"`
  }
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* wrongIn(part, [...rows, schema], `${place}.${name}`)
  for (const part of [schema.items, ...(schema.anyOf ?? [])]) if (part) yield* wrongIn(part, rows, place)
}

const calls = [...manifest, ...office] as unknown as { name: string; input: Schema; output: Schema }[]

test('every decimal of the contract has a unit, and names a currency of its row', () => {
  const wrong = calls.flatMap(({ name, input, output }) => [...wrongIn(input, [], `${name} in`), ...wrongIn(output, [], `${name} out`)])
  expect(wrong.filter((one) => !/^market\.kline out\.list\.(open|high|low|close|volume) names/.test(one))).toEqual([])
})

test('a schema that names no currency of its row is found', () => {
  const row: Schema = { properties: { amount: { decimal: true, unit: 'amount', coin: 'code' }, fee: { decimal: true } } }
  expect([...wrongIn(row, [], 'x')]).toEqual(['x.amount names "code"', 'x.fee has no unit'])
})
