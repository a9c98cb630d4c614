import { expect, test } from 'vitest'
import * as z from 'zod'
import { addFirstTerms } from '#api-server/kit/first-terms.ts'
import { createTermsStore, defineTerms } from '#api-server/kit/terms.ts'
import { migrations } from '#api-server/migrations.ts'
import { onEngines } from '#tests/support/databases/engines.ts'

const terms = defineTerms<{ daily: string }>({
  product: 'first',
  schema: z.object({ daily: z.string() }),
  fields: { daily: { kind: 'percent' } },
})
const clock = { now: () => 7 }

onEngines('first terms', (engine) => {
  test('are added once, by one of several servers, and never again', async () => {
    const database = await engine.open(migrations)
    const store = createTermsStore(database)
    const add = (first: Record<string, { daily: string }>) => addFirstTerms({ database, clock }, terms, first)
    await Promise.all([add({ USDT: { daily: '0.1' } }), add({ USDT: { daily: '0.1' } })])
    await add({ USDT: { daily: '0.2' }, BTC: { daily: '0.3' } })
    const row = { product: 'first', key: 'USDT', version: 1, terms: { daily: '0.1' }, changed_by: '', at: 7 }
    expect(await store.current(['first'])).toEqual([row])
  })

  test('of another form are refused, and none is stored', async () => {
    const database = await engine.open(migrations)
    const add = addFirstTerms({ database, clock }, terms, { USDT: { daily: '0.1' }, BTC: { daily: 1 as never } })
    await expect(add).rejects.toThrow('expected string')
    expect(await createTermsStore(database).current(['first'])).toEqual([])
  })
})
