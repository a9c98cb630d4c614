export type AxisForm = { kind: 'amount' } | { kind: 'compact' } | { kind: 'percent'; decimals: number }

/** Format of axis values: with K or M when neighbouring values stay distinguishable; percent with the decimals of the tick distance. */
export function axisForm(text: string, step: string, percent: boolean): AxisForm {
  if (percent) return { kind: 'percent', decimals: Math.max(0, (step.split('.')[1]?.length ?? 0) - 2) }
  const size = Math.abs(Number(text))
  const distance = Number(step)
  // The short form has one decimal.
  const seen = size > 1e6 ? distance >= 1e5 : size > 1e3 && distance >= 100
  return { kind: seen ? 'compact' : 'amount' }
}
