import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTermsStore } from '#api-server/kit/terms.ts'
import { migrations } from '#api-server/migrations.ts'
import { createTradingStore } from '#api-server/trading/trading.store.ts'
import type { TermsByProduct } from '#contract/trading.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { startApi, type TestApi } from '#tests/support/servers/api.ts'

onEngines('the terms of trading', (engine) => {
  test('a change is a new version, and counts at once', async () => {
    const api: TestApi = await startApi({ place: await engine.place() })
    try {
      const set = async (fields: Record<string, string>) =>
        (await api.post('/test/instrument', { symbol: 'BTCUSDT', product: 'contract', ...fields })).json()
      const store = createTradingStore(api.database)
      const history = () => createTermsStore(api.database).history('contract', 'BTCUSDT')
      expect(await set({ terms: '{"fee_rate":"0.001"}' })).toMatchObject({ code: 1, data: { version: 2 } })
      const [now, first] = await history()
      expect([now!.terms, first!.terms]).toMatchObject([
        { fee_rate: '0.001', lot_size: '0.01' },
        { fee_rate: '0.0005', lot_size: '0.01' },
      ])
      expect(await store.current()).toContainEqual(expect.objectContaining({ symbol: 'BTCUSDT', product: 'contract', version: 2 }))

      expect(await set({ terms: '{"fee_rate":1}' })).toMatchObject({ name: 'parameter_error', field: 'terms' })
      expect(await set({ terms: 'no JSON' })).toMatchObject({ name: 'parameter_error', field: 'terms' })
      expect(await set({ symbol: 'NOSUCH' })).toMatchObject({ name: 'symbol_unknown' })
      expect(await history()).toHaveLength(2)

      await set({ halted: 'true' })
      expect(await store.halts()).toMatchObject([{ symbol: 'BTCUSDT', ended_at: null }])
      await set({ halted: 'false' })
      expect(await store.halts()).toMatchObject([{ symbol: 'BTCUSDT', ended_at: expect.any(Number) }])
    } finally {
      await api.close()
    }
  })

  test('terms of spot that were stored before they had a tolerance have the usual one', async () => {
    const database = await engine.open(migrations)
    const store = createTradingStore(database)
    await store.seed(1)
    const spot = async () => (await store.current()).find(({ product, symbol }) => product === 'spot' && symbol === 'BTCUSDT')
    const seeded = await spot()
    await sql`alter table terms disable trigger user`.execute(database.db)
    await sql`delete from terms where product = 'spot' and key = 'BTCUSDT'`.execute(database.db)
    const { tolerance: _, ...before } = seeded!.terms as TermsByProduct['spot']
    const row = { product: 'spot', symbol: 'BTCUSDT', changed_by: 'ann', at: 2 } as const
    await database.transaction((tx) => store.put(tx, { ...row, terms: before as TermsByProduct['spot'] }))
    const usual = { terms: { ...before, tolerance: '0.01' } }
    expect(await spot()).toMatchObject(usual)
  })

  test('halts and hours of the past stay, and a second halt of a symbol goes on where the first one ends', async () => {
    const database = await engine.open(migrations)
    const store = createTradingStore(database)
    const halt = (reason: string, at: number) =>
      database.transaction((tx) => store.halt(tx, { symbol: 'BTCUSDT', reason, halted_by: 'ann', at }))
    const resume = async (at: number, began?: number) => [await database.transaction((tx) => store.resume(tx, 'BTCUSDT', at, began))][0]
    await halt('news', 100)
    await halt('more news', 200)
    expect([await resume(300, 100), await resume(300), await resume(301)]).toMatchObject([
      undefined,
      { reason: 'more news', at: 200 },
      undefined,
    ])
    await halt('again', 400)
    expect((await store.halts()).map(({ reason, at, ended_at }) => [reason, at, ended_at])).toEqual([
      ['news', 100, 200],
      ['more news', 200, 300],
      ['again', 400, null],
    ])
    const calendar = {
      zone: 'UTC',
      sessions: [{ day: 1, from: '09:00', to: '17:00' }],
      holidays: [],
      days: [{ date: '2026-11-27', sessions: [{ from: '09:00', to: '13:00' }] }],
    }
    for (const [at, hours] of [
      [100, calendar],
      [200, undefined],
    ] as const)
      await database.transaction((tx) => store.setCalendar(tx, { group: 'metal', calendar: hours, changed_by: 'ann', at }))
    expect((await store.calendars()).map(({ version, at, calendar: hours }) => [version, at, hours])).toEqual([
      [1, 100, calendar],
      [2, 200, undefined],
    ])
    await database.transaction((tx) => store.setCalendar(tx, { group: 'stock', calendar, changed_by: 'ann', at: 150 }))
    for (const [at, reasons, hours] of [
      [99, ['news', 'more news', 'again'], ['metal 1', 'metal 2', 'stock 1']],
      [100, ['news', 'more news', 'again'], ['metal 1', 'metal 2', 'stock 1']],
      [199, ['news', 'more news', 'again'], ['metal 1', 'metal 2', 'stock 1']],
      [200, ['more news', 'again'], ['metal 2', 'stock 1']],
      [500, ['again'], ['metal 2', 'stock 1']],
    ] as const) {
      const found = await database.transaction((tx) => store.inForceFrom(tx, at))
      expect(found.halts.map(({ reason }) => reason)).toEqual(reasons)
      expect(found.calendars.map(({ group, version }) => `${group} ${version}`)).toEqual(hours)
      expect(found.calendars.at(-1)!.calendar).toEqual(calendar)
    }
  })
})
