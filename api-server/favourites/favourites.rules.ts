/** Markets that one account may keep. */
export const favouritesMax = 200

/** The list with this symbol at its end; one that is there stays where it is. @returns undefined when the list is full */
export function withSymbol(list: readonly string[], symbol: string): string[] | undefined {
  if (list.includes(symbol)) return [...list]
  return list.length < favouritesMax ? [...list, symbol] : undefined
}

export const withoutSymbol = (list: readonly string[], symbol: string): string[] => list.filter((one) => one !== symbol)
