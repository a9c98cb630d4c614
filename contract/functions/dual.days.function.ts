import { defineFunction } from '#contract/functions/define.ts'

const dayMs = 86_400_000

export const dualDays = defineFunction({
  name: 'dual.days',
  about:
    'Holding days of a dual investment: the UTC dates from the purchase to the maturity, at least 1. Both times are milliseconds since 1970 UTC.',
  params: { bought: 'integer', matures: 'integer' },
  result: 'integer',
  examples: [
    { args: { bought: 1_795_046_399_999, matures: 1_795_593_600_000 }, gives: 7 },
    { args: { bought: 1_795_046_400_000, matures: 1_795_593_600_000 }, gives: 6 },
    { args: { bought: 1_795_593_500_000, matures: 1_795_593_600_000 }, gives: 1 },
  ],
  run: ({ bought, matures }) => Math.max(1, Math.floor(matures / dayMs) - Math.floor(bought / dayMs)),
})
