import { expect, test } from 'vitest'
import * as z from 'zod'
import { type NumberTerm, rangeOf, readTerms, type TermFields, termChanges, typedTerms } from '#api-server/kit/terms.rules.ts'

const schema = z.object({
  side: z.enum(['call', 'put']),
  strike: z.string(),
  yearly: z.string(),
  shares: z.int(),
  ends: z.int(),
  about: z.string().optional(),
})
const fields: TermFields = {
  side: { kind: 'choice', values: ['call', 'put'], fixed: true },
  strike: { kind: 'decimal', unit: '@quote' },
  yearly: { kind: 'percent', above: '0', below: '1000' },
  shares: { kind: 'whole', unit: 'shares' },
  ends: { kind: 'time' },
  about: { kind: 'text' },
}
const terms = { side: 'call', strike: '60000', yearly: '0.3', shares: 500, ends: Date.parse('2026-12-31T08:00:00Z') }
const units = { quote: 'USDT' }
const typed = { side: 'call', strike: '60000', yearly: '30', shares: '500', ends: '2026-12-31 08:00' }

test('terms are shown with their units, and read back as they are typed', () => {
  expect(typedTerms(fields, terms, units).map(({ shown }) => shown)).toEqual([
    ...['call', '60000 USDT', '30 %', '500 shares', '2026-12-31 08:00 UTC', ''],
  ])
  expect(readTerms(fields, schema.shape, undefined, typed)).toEqual({ terms })
})

test.each<[over: Record<string, string>, wrong: string]>([
  [{ side: 'both' }, 'side'],
  [{ strike: '0' }, 'strike'],
  [{ strike: '-1' }, 'strike'],
  [{ strike: '1e3' }, 'strike'],
  [{ yearly: '0' }, 'yearly'],
  [{ yearly: '1000' }, 'yearly'],
  [{ yearly: '30 %' }, 'yearly'],
  [{ shares: '1.5' }, 'shares'],
  [{ shares: '0' }, 'shares'],
  [{ ends: '2026-12-31' }, 'ends'],
  [{ ends: '2026-13-31 08:00' }, 'ends'],
  [{ strike: '' }, 'strike'],
])('%o is refused at its member', (over, wrong) => {
  expect(readTerms(fields, schema.shape, undefined, { ...typed, ...over })).toEqual({ wrong })
})

test('a member that is not typed stays, and a change has the value before; of new terms there is none', () => {
  const found = readTerms(fields, schema.shape, terms, { yearly: '999', strike: '' }) as { terms: object }
  expect(found).toEqual({ terms: { ...terms, yearly: '9.99' } })
  expect(termChanges(fields, terms, found.terms, units)).toEqual([
    { name: 'yearly', value: '999', shown: '999 %', choice: '', before: '30 %' },
  ])
  expect(termChanges(fields, undefined, terms, units).map(({ name, before }) => [name, before])).toEqual([
    ...['side', 'strike', 'yearly', 'shares', 'ends'].map((name) => [name, '']),
  ])
})

test('a fixed member stays as it was', () => {
  expect(readTerms(fields, schema.shape, terms, { side: 'put' })).toEqual({ wrong: 'side' })
  expect(readTerms(fields, schema.shape, terms, { side: 'call', shares: '501' })).toEqual({ terms: { ...terms, shares: 501 } })
})

test.each<[field: NumberTerm, range: string]>([
  [{ kind: 'decimal' }, '> 0'],
  [{ kind: 'decimal', least: '0' }, '>= 0'],
  [{ kind: 'whole', most: '5' }, '>= 1, <= 5'],
  [{ kind: 'percent' }, '>= 0, < 100'],
  [{ kind: 'percent', above: '0', most: '100' }, '> 0, <= 100'],
])('the range of %o is %s', (field, range) => {
  expect(rangeOf(field)).toBe(range)
})
