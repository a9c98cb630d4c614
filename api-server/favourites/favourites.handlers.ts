import { withoutSymbol, withSymbol } from '#api-server/favourites/favourites.rules.ts'
import type { FavouritesStore } from '#api-server/favourites/favourites.store.ts'
import type { Listing } from '#contract/calls/market.calls.ts'
import type { userCalls } from '#contract/calls/user.calls.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'

interface FavouritesDeps {
  store: FavouritesStore
  isKnown: (symbol: string) => boolean
  /** Undefined for an instrument without a price. */
  listing: (lang: string, symbol: string) => Listing | undefined
}
type Calls = Pick<typeof userCalls, 'user.addOptional' | 'user.delOptional' | 'user.getOptionalList'>

/** Handlers of favourites. An instrument that is no longer traded stays in the list, is not shown, and can be removed. */
export function favouritesHandlers({ store, isKnown, listing }: FavouritesDeps): Handlers<Calls> {
  return {
    'user.addOptional': async ({ symbol }, { user }) => {
      if (!isKnown(symbol)) throw new ApiProblem('symbol_unknown', { field: 'symbol' })
      const symbols = await store.change(user.uid, (list) => withSymbol(list, symbol))
      if (!symbols) throw new ApiProblem('list_full')
      return { symbols }
    },
    'user.delOptional': async ({ symbol }, { user }) => ({
      symbols: (await store.change(user.uid, (list) => withoutSymbol(list, symbol))) ?? [],
    }),
    'user.getOptionalList': async (_input, { lang, user }) => {
      const symbols = await store.list(user.uid)
      return { list: symbols.flatMap((symbol) => listing(lang, symbol) ?? []) }
    },
  }
}
