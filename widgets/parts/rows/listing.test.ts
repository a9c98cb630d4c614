import { expect, expectTypeOf, test } from 'vitest'
import { listing as agreed, type Listing } from '#contract/calls/market.calls.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

type Schema = {
  unit?: unknown
  coin?: unknown
  per?: unknown
  type?: unknown
  enum?: unknown
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/** Names, kinds, choices and units, without bounds and descriptions. */
function shapeOf({ unit, coin, per, type, enum: choices, required, properties, items }: Schema): unknown {
  return {
    unit,
    coin,
    per,
    type,
    choices,
    required: required?.toSorted(),
    items: items && shapeOf(items),
    properties: properties && Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, shapeOf(each)])),
  }
}

test('the prop has the shape of the contract', () => {
  expect(shapeOf(z.toJSONSchema(listing) as Schema)).toEqual(shapeOf(z.toJSONSchema(agreed) as Schema))
  expectTypeOf<z.output<typeof listing>>().toEqualTypeOf<Listing>()
})
