import { expect, test } from 'vitest'
import { createChanges, tellingLost } from '#api-server/feed/changes.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'

test('listeners hear of changes and of lost ones, until they end', () => {
  const changes = createChanges(createLocalBus(createLog('silent')))
  const heard: unknown[] = []
  const end = changes.listen(
    (uid, topic, changed) => heard.push([uid, topic, changed]),
    () => heard.push('lost'),
  )
  const changed = { change: 'update' as const, row: { id: 3 } }
  changes.tell(7, 'balance')
  changes.lost()
  changes.tell(8, 'spot_orders', changed)
  changes.tell('all', 'dual_products')
  end()
  changes.tell(7, 'balance')
  changes.lost()
  expect(heard).toEqual([[7, 'balance', undefined], 'lost', [8, 'spot_orders', changed], ['all', 'dual_products', undefined]])
})

test('a transaction that nobody knows the end of is told once, after the next one that is committed', async () => {
  const heard: string[] = []
  const ends = (code: 'busy' | 'outcome_unknown') => async () => {
    throw new ApiProblem(code)
  }
  const database = { transaction: (work: () => Promise<unknown>) => work() } as unknown as Database
  const { transaction } = tellingLost(database, () => heard.push('lost'))
  const commit = () => transaction(async () => heard.push('committed'))
  await commit()
  await expect(transaction(ends('busy'))).rejects.toMatchObject({ code: 'busy' })
  await commit()
  for (const _ of [1, 2]) await expect(transaction(ends('outcome_unknown'))).rejects.toMatchObject({ code: 'outcome_unknown' })
  await expect(transaction(ends('busy'))).rejects.toMatchObject({ code: 'busy' })
  expect(heard).toEqual(['committed', 'committed'])
  await commit()
  await commit()
  expect(heard.slice(2)).toEqual(['committed', 'lost', 'committed'])
})
