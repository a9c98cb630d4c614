import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arithmetic, compare, type Rounding, roundingModes, roundTo } from '#language/expression/arithmetic.ts'
import { decimalOf, digits, toFixed } from '#language/expression/decimal.ts'

/** A decimal library for comparison. */
const Exact = Big()
Exact.DP = 20
const modes: Record<Rounding, 0 | 1 | 2 | 3> = {
  down: Exact.roundDown,
  'half-up': Exact.roundHalfUp,
  'half-even': Exact.roundHalfEven,
  up: Exact.roundUp,
}
const plain = (value: Big) => (value.eq(0) ? '0' : value.toFixed())

const text = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.option(fc.stringMatching(/^\d{1,24}$/)))
  .map(([minus, whole, part]) => `${minus ? '-' : ''}${whole}${part === null ? '' : `.${part}`}`)
const close = fc.constantFrom('0.5', '1.5', '2.5', '-0.5', '-2.5', '0', '-0', '0.00', '1', '0.05', '0.15', '3', '-7')
const decimal = fc.oneof(text, close)

const steps = {
  '+': (a: Big, b: Big) => a.plus(b),
  '-': (a: Big, b: Big) => a.minus(b),
  '*': (a: Big, b: Big) => a.times(b).round(40),
  '/': (a: Big, b: Big) => (b.eq(0) ? null : a.div(b)),
  '%': (a: Big, b: Big) => (b.eq(0) ? null : a.mod(b)),
} as const

test.each(Object.keys(steps) as (keyof typeof steps)[])('%s', (op) =>
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const wanted = steps[op](new Exact(a), new Exact(b))
      expect(arithmetic(op, [a, b])).toBe(wanted === null ? null : plain(wanted))
    }),
    { numRuns: 1_000 },
  ),
)

test.each(roundingModes)('rounding %s', (mode) =>
  fc.assert(
    fc.property(decimal, fc.integer({ min: 0, max: 20 }), (value, places) => {
      expect(roundTo(value, places, mode)).toBe(plain(new Exact(value).round(places, modes[mode])))
    }),
    { numRuns: 1_000 },
  ),
)

test('order, digits and fixed decimals; numbers too', () =>
  fc.assert(
    fc.property(
      fc.oneof(decimal, fc.double({ noNaN: true, min: -1e59, max: 1e59 })),
      decimal,
      fc.integer({ min: 0, max: 30 }),
      (a, b, places) => {
        const value = decimalOf(a)
        if (!value) throw new Error(`${a} is a decimal`)
        expect(digits(value)).toBe(plain(new Exact(a)))
        expect(toFixed(value, places)).toBe(new Exact(a).toFixed(places).replace(/^-(?=[0.]*$)/, ''))
        expect(compare(a, b)).toBe(new Exact(a).cmp(b))
      },
    ),
    { numRuns: 2_000 },
  ))
