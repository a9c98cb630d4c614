import { amountOf, defineFunction } from '#contract/functions/define.ts'
import { less, product, quotient } from '#contract/money.ts'

export const ieoRelease = defineFunction({
  name: 'ieo.release',
  about:
    'Tokens of one release of a lock: what the first n releases give together, rounded down at the decimals of the token, less what those before gave. The last one gives the rest.',
  params: { passed: amountOf('token'), number: 'integer', releases: 'integer', scale: 'integer' },
  result: amountOf('token'),
  examples: [
    { args: { passed: '300000', number: 1, releases: 1, scale: 8 }, gives: '300000' },
    { args: { passed: '10', number: 1, releases: 3, scale: 2 }, gives: '3.33' },
    { args: { passed: '10', number: 3, releases: 3, scale: 2 }, gives: '3.34' },
  ],
  run: ({ passed, number, releases, scale }) => {
    const first = (n: number) => quotient(product(passed, String(n)), String(releases), scale)
    return less(first(number), first(number - 1))
  },
})
