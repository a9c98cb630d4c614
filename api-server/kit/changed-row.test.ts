import { expect, test } from 'vitest'
import { tellRow } from '#api-server/kit/changed-row.ts'
import type { Log } from '#server-kit/ops/log.ts'

test('a row that cannot be read makes apps load the list again, and the log says so once for each topic', async () => {
  const told: unknown[] = []
  const lines: unknown[] = []
  const log = { error: (fields: { topic: string }, message: string) => void lines.push([fields.topic, message]) } as unknown as Log
  const context = { rowChanged: (...args: unknown[]) => void told.push(args), log }
  const lost = () => Promise.reject(new Error('the database is away'))
  tellRow(context, { uid: 7, topic: 'positions', change: 'update' }, Promise.resolve({ id: 3 }))
  tellRow(context, { uid: 7, topic: 'positions', change: 'update' }, Promise.resolve(undefined))
  tellRow(context, { uid: 7, topic: 'positions', change: 'update' }, lost())
  tellRow(context, { uid: 8, topic: 'positions', change: 'insert' }, lost())
  tellRow(context, { uid: 7, topic: 'spot_orders', change: 'update' }, lost())
  await new Promise((done) => setImmediate(done))
  expect(told).toEqual([
    [7, 'positions', { change: 'update', row: { id: 3 } }],
    [7, 'positions'],
    [8, 'positions'],
    [7, 'spot_orders'],
  ])
  const line = 'feed: a changed row could not be read; apps load its list again'
  expect(lines).toEqual([
    ['positions', line],
    ['spot_orders', line],
  ])
})
