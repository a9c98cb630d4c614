import type { DealCardProps } from '#widgets/deal-card/deal-card.props.ts'

type Items = NonNullable<DealCardProps['examples']>['items']

const lengthOf = (value: string) => {
  const length = Number(value)
  return Number.isFinite(length) && length > 0 ? length : 0
}

/** Lengths of the bars in [0, 1], all to one scale: the longest one is 1. */
export function barsOf(items: Items): { get: number; hold: number }[] {
  const lengths = items.map(({ get, hold }) => ({ get: lengthOf(get.value), hold: lengthOf(hold.value) }))
  const longest = Math.max(0, ...lengths.flatMap(({ get, hold }) => [get, hold]))
  return longest === 0 ? lengths : lengths.map(({ get, hold }) => ({ get: get / longest, hold: hold / longest }))
}
