import { beforeAll, beforeEach, expect, test } from 'vitest'
import { favouritesHandlers } from '#api-server/favourites/favourites.handlers.ts'
import { favouritesMigrations } from '#api-server/favourites/favourites.migration.ts'
import { favouritesMax } from '#api-server/favourites/favourites.rules.ts'
import { createFavouritesStore } from '#api-server/favourites/favourites.store.ts'
import type { Listing } from '#contract/calls/market.calls.ts'
import { userCalls } from '#contract/calls/user.calls.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const known = new Set(['BTCUSDT', 'ETHUSDT', 'XAUUSDT', ...Array.from({ length: favouritesMax + 10 }, (_, i) => `S${i}USDT`)])
const callerOf = (uid: number, lang = 'en') => ({ lang, token: 't', agent: '', ip: '', user: { uid, session: 's' } })

onEngines('favourites', (engine) => {
  let database: Database
  let handlers: ReturnType<typeof favouritesHandlers>
  beforeAll(async () => {
    database = await engine.open(favouritesMigrations)
    handlers = favouritesHandlers({
      store: createFavouritesStore(database),
      isKnown: (symbol) => known.has(symbol),
      listing: (lang, symbol) => (symbol === 'XAUUSDT' ? undefined : ({ symbol, title: `${symbol} ${lang}` } as Listing)),
    })
  })
  beforeEach(async () => void (await database.db.deleteFrom('favourite').execute()))
  const add = async (symbol: string, uid = 1) => (await handlers['user.addOptional']({ symbol }, callerOf(uid))).symbols
  const del = async (symbol: string, uid = 1) => (await handlers['user.delOptional']({ symbol }, callerOf(uid))).symbols
  const shown = async (uid = 1, lang = 'en') => (await handlers['user.getOptionalList']({}, callerOf(uid, lang))).list

  test('favourites keep the order in which they were added, once each, per account', async () => {
    expect(await shown()).toEqual([])
    for (const symbol of ['ETHUSDT', 'BTCUSDT', 'ETHUSDT']) await add(symbol)
    expect(await add('S1USDT')).toEqual(['ETHUSDT', 'BTCUSDT', 'S1USDT'])
    expect(await add('BTCUSDT', 2)).toEqual(['BTCUSDT'])
    expect(await del('ETHUSDT')).toEqual(['BTCUSDT', 'S1USDT'])
    expect(await del('ETHUSDT')).toEqual(['BTCUSDT', 'S1USDT'])
    expect((await shown(1, 'ja')).map((one) => one.title)).toEqual(['BTCUSDT ja', 'S1USDT ja'])
    expect((await shown(2)).map((one) => one.symbol)).toEqual(['BTCUSDT'])
    expect(await del('BTCUSDT', 3)).toEqual([])
  })

  test.each(['NOSUCH', '__proto__', 'constructor'])('%s is refused and not stored', async (symbol) => {
    await expect(add(symbol)).rejects.toMatchObject({ code: 'symbol_unknown', field: 'symbol' })
    expect(await database.db.selectFrom('favourite').selectAll().execute()).toEqual([])
  })

  test('an instrument without a price is stored, not shown, and can be removed', async () => {
    await add('XAUUSDT')
    expect(await add('BTCUSDT')).toEqual(['XAUUSDT', 'BTCUSDT'])
    expect((await shown()).map((one) => one.symbol)).toEqual(['BTCUSDT'])
    expect(await del('XAUUSDT')).toEqual(['BTCUSDT'])
  })

  test('concurrent additions: none is lost or doubled, and the list never exceeds its maximum', async () => {
    const many = Array.from({ length: favouritesMax + 5 }, (_, i) => `S${i}USDT`)
    await Promise.all(many.slice(0, 20).flatMap((symbol) => [add(symbol), add(symbol)]))
    expect((await add('S0USDT')).toSorted()).toEqual(many.slice(0, 20).toSorted())
    await createFavouritesStore(database).change(1, () => many.slice(0, favouritesMax - 3))
    const outcomes = await Promise.allSettled(many.slice(favouritesMax - 3).map((symbol) => add(symbol)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'list_full' })
    expect(await add('S0USDT')).toHaveLength(favouritesMax)
    expect(await del('S0USDT')).toHaveLength(favouritesMax - 1)
  })
})

test.each(['', 'btcusdt', 'BTC/USDT', 'BTCUSDT,ETHUSDT', "BTC' or 1=1", 'A'.repeat(21), 'BTC USDT', 'ＢＴＣ'])(
  '%j does not pass the contract',
  (symbol) => {
    for (const name of ['user.addOptional', 'user.delOptional'] as const)
      expect(userCalls[name].input.safeParse({ symbol }).success).toBe(false)
  },
)
