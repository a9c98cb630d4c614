import { expect, test } from 'vitest'
import { favouritesMax, withoutSymbol, withSymbol } from '#api-server/favourites/favourites.rules.ts'

const full = Array.from({ length: favouritesMax }, (_, i) => `S${i}`)

test.each<[string, string[], string, string[] | undefined]>([
  ['the first', [], 'BTC', ['BTC']],
  ['at the end', ['ETH', 'BTC'], 'XAU', ['ETH', 'BTC', 'XAU']],
  ['a symbol in the list keeps its place', ['BTC', 'ETH'], 'BTC', ['BTC', 'ETH']],
  ['the last one that fits', full.slice(1), 'BTC', [...full.slice(1), 'BTC']],
  ['one too many', full, 'BTC', undefined],
  ['a symbol of a full list', full, 'S7', full],
])('adds: %s', (_name, list, symbol, then) => {
  const before = [...list]
  expect(withSymbol(list, symbol)).toEqual(then)
  expect(list).toEqual(before)
})

test.each<[string, string[], string, string[]]>([
  ['keeps the order of the others', ['A1', 'B1', 'C1'], 'B1', ['A1', 'C1']],
  ['a symbol that is not in the list', ['A1'], 'B1', ['A1']],
  ['from nothing', [], 'B1', []],
])('takes away: %s', (_name, list, symbol, then) => {
  const before = [...list]
  expect(withoutSymbol(list, symbol)).toEqual(then)
  expect(list).toEqual(before)
})
