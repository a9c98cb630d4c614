/** Maximum number of favourites of one account. */
export const favouritesMax = 200

/** Appends a symbol; a symbol that is in the list keeps its place. @returns undefined when the list is full */
export function withSymbol(list: readonly string[], symbol: string): string[] | undefined {
  if (list.includes(symbol)) return [...list]
  return list.length < favouritesMax ? [...list, symbol] : undefined
}

export const withoutSymbol = (list: readonly string[], symbol: string): string[] => list.filter((one) => one !== symbol)
