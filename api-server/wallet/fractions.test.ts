import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ratesOf } from '#api-server/wallet/exchange.rules.ts'
import { btcWorth, ceilingOf, decideWithdraw, leftOf } from '#api-server/wallet/withdraw/withdraw.rules.ts'
import { walletExchangeReceived } from '#contract/functions/wallet.exchangeReceived.function.ts'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'

const paidOut = (amount: string, rate: string, scale: number) => walletExchangeReceived.run({ amount, rate, scale })

/** Compares the money formulas with exact fractions: every digit agrees, and rounding never favours the customer. */

interface Fraction {
  n: bigint
  d: bigint
}
const of = (text: string): Fraction => {
  const [whole = '0', part = ''] = text.split('.')
  return { n: BigInt(whole + part), d: 10n ** BigInt(part.length) }
}
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n })
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { n: -b.n, d: b.d })
const isAtMost = (a: Fraction, b: Fraction) => a.n * b.d <= b.n * a.d
/** Units of 10^-scale, rounded down, or rounded up. */
const down = ({ n, d }: Fraction, scale: number): bigint => (n * 10n ** BigInt(scale)) / d
const up = ({ n, d }: Fraction, scale: number): bigint =>
  -((-n * 10n ** BigInt(scale)) / d) + ((n * 10n ** BigInt(scale)) % d > 0n ? 1n : 0n)
/** Units as decimal text without trailing zeros. */
function text(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const part = scale ? digits.slice(-scale).replace(/0+$/, '') : ''
  return part ? `${whole}.${part}` : whole
}

const scale = fc.constantFrom(0, 2, 6, 8, 18)
/** Random decimal text with up to `whole` digits before and `part` digits after the point. */
const decimal = (whole: number, part: number) =>
  fc
    .tuple(fc.bigInt(0n, 10n ** BigInt(whole) - 1n), fc.nat(part), fc.bigInt(0n, 10n ** BigInt(part) - 1n))
    .map(([before, decimals, after]) => {
      const digits = String(after).padStart(part, '0').slice(0, decimals).replace(/0+$/, '')
      return digits ? `${before}.${digits}` : String(before)
    })
const positive = (whole: number, part: number) => decimal(whole, part).filter((one) => /[1-9]/.test(one))
const price = positive(7, 10)
const amount = (decimals: number) => positive(9, decimals)
const rate = fc.nat(9_999).map((n) => text(BigInt(n), 4))
const runs = { numRuns: 800 }

describe('formulas of money are exact', () => {
  test('the result of an exchange', () => {
    const asked = fc.tuple(price, price, rate, scale, amount(8))
    fc.assert(
      fc.property(asked, ([fromUsd, toUsd, spread, decimals, paid]) => {
        const market = down(over(of(fromUsd), of(toUsd)), 18)
        const net = down(times({ n: market, d: 10n ** 18n }, minus(of('1'), of(spread))), 18)
        const rates = ratesOf(fromUsd, toUsd, spread)
        if (net === 0n) {
          expect(rates).toBeUndefined()
          return
        }
        expect(rates).toEqual({ rate: text(market, 18), netRate: text(net, 18) })
        const received = down(times(of(paid), { n: net, d: 10n ** 18n }), decimals)
        expect(paidOut(paid, rates!.netRate, decimals)).toBe(text(received, decimals))
        // Rounded twice, both times in favour of the platform: never more than the exact fraction.
        const whole = times(times(of(paid), over(of(fromUsd), of(toUsd))), minus(of('1'), of(spread)))
        expect(isAtMost({ n: received, d: 10n ** BigInt(decimals) }, whole)).toBe(true)
      }),
      runs,
    )
  })

  test('fee, received amount and counted worth of a withdrawal', () => {
    const asked = fc.tuple(amount(8), decimal(4, 8), rate, fc.constantFrom(6, 8, 18), price, price)
    fc.assert(
      fc.property(asked, ([sum, fixed, part, decimals, coinUsd, btcUsd]) => {
        const exact = plus(of(fixed), times(of(sum), of(part)))
        const fee = up(exact, decimals)
        expect(walletWithdrawFee.run({ amount: sum, fee: fixed, fee_rate: part, scale: decimals })).toBe(text(fee, decimals))
        const btc = up(over(times(of(sum), of(coinUsd)), of(btcUsd)), 8)
        expect(btcWorth(sum, coinUsd, btcUsd)).toBe(text(btc, 8))
        const feeText = text(fee, decimals)
        const decided = decideWithdraw(
          { amount: sum, shownFee: undefined, isBank: false, usableFrom: 0 },
          {
            now: 1,
            level: 1,
            holdUntil: null,
            isOpen: true,
            min: '0',
            fee: feeText,
            available: sum,
            coinUsd,
            btcUsd,
            limitBtc: text(btc, 8),
            usedBtc: '0',
            orderLimitUsd: '0',
          },
        )
        const left = minus(of(sum), of(feeText))
        if (left.n <= 0n) {
          expect(decided.outcome).toBe('amount_too_small')
          return
        }
        const usd = times(of(sum), of(coinUsd))
        expect(decided).toEqual({ outcome: 'asked', received: text(down(left, 18), 18), btc: text(btc, 8), usd: text(down(usd, 30), 30) })
      }),
      runs,
    )
  })

  test('the withdrawable maximum is accepted, and one unit more is refused', () => {
    const asked = fc.tuple(amount(8), positive(3, 8), price, price, fc.constantFrom(2, 6, 8))
    fc.assert(
      fc.property(asked, ([available, leftBtc, coinUsd, btcUsd, decimals]) => {
        const left = down(over(times(of(leftBtc), of(btcUsd)), of(coinUsd)), decimals)
        const has = down(of(available), decimals)
        const ceiling = ceilingOf({ available, leftBtc, coinUsd, btcUsd, orderLimitUsd: null, scale: decimals })
        expect(ceiling).toEqual({ left: text(left, decimals), max: text(left < has ? left : has, decimals) })
        const more = btcWorth(text(left + 1n, decimals), coinUsd, btcUsd)
        expect(isAtMost(of(btcWorth(ceiling.left, coinUsd, btcUsd)), of(leftBtc))).toBe(true)
        // A limit is counted in units of 10^-8 BTC: the next unit of the currency exceeds it, or is worth less than one such unit.
        if (isAtMost(of(more), of(leftBtc)))
          expect(of(coinUsd).n * of(btcUsd).d * 10n ** 8n).toBeLessThan(of(btcUsd).n * of(coinUsd).d * 10n ** BigInt(decimals))
        expect(leftOf(leftBtc, leftBtc)).toBe('0')
      }),
      runs,
    )
  })
})

test('ten thousand exchanges of the smallest unit there and back, for all pairs and prices, never gain', () => {
  const coin = fc.record({ usd: price, decimals: fc.constantFrom(0, 2, 6, 8, 18) })
  const asked = fc.tuple(coin, coin, fc.constantFrom('0', '0.0001', '0.002', '0.5'), fc.constantFrom(1n, 2n, 3n, 7n, 999n))
  fc.assert(
    fc.property(asked, ([a, b, spread, units]) => {
      const [there, back] = [ratesOf(a.usd, b.usd, spread), ratesOf(b.usd, a.usd, spread)]
      if (!there || !back) return
      const start = text(units, a.decimals)
      const got = paidOut(start, there.netRate, b.decimals)
      const again = paidOut(got, back.netRate, a.decimals)
      expect(isAtMost(of(again), of(start))).toBe(true)
      expect(isAtMost(times(of(got), of(b.usd)), times(of(start), of(a.usd)))).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})
