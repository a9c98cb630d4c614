import { expect, test } from 'vitest'
import desk from '#contract/desk.manifest.json' with { type: 'json' }
import manifest from '#contract/manifest.json' with { type: 'json' }

interface Schema {
  decimal?: boolean
  unit?: string
  coin?: string | boolean
  per?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Coins that a unit names and that are neither a code nor a member `coin: true` of a record around; and decimals without a unit. */
function* wrongIn(schema: Schema, rows: readonly Schema[], place: string): Generator<string> {
  if (schema.decimal && schema.unit === undefined) yield `${place} says no unit`
  for (const name of [schema.coin, schema.per]) {
    if (typeof name !== 'string' || /^[A-Z]+$/.test(name)) continue
    const row = rows.findLast(({ properties }) => properties && name in properties)
    // A quote is a part of its instrument, and stands by itself on the feed.
    if (row?.properties?.[name]?.coin !== true) yield `${place} names "${name}"`
  }
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* wrongIn(part, [...rows, schema], `${place}.${name}`)
  for (const part of [schema.items, ...(schema.anyOf ?? [])]) if (part) yield* wrongIn(part, rows, place)
}

const calls = [...manifest, ...desk] as unknown as { name: string; input: Schema; output: Schema }[]

test('every decimal of the contract says what it counts, and names a coin of its row', () => {
  const wrong = calls.flatMap(({ name, input, output }) => [...wrongIn(input, [], `${name} in`), ...wrongIn(output, [], `${name} out`)])
  expect(wrong.filter((one) => !/^market\.kline out\.list\.(open|high|low|close|volume) names/.test(one))).toEqual([])
})

test('a schema that names no coin of its row is found', () => {
  const row: Schema = { properties: { amount: { decimal: true, unit: 'amount', coin: 'code' }, fee: { decimal: true } } }
  expect([...wrongIn(row, [], 'x')]).toEqual(['x.amount names "code"', 'x.fee says no unit'])
})
