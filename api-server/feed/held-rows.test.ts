import { expect, test } from 'vitest'
import * as z from 'zod'
import type { Changes } from '#api-server/feed/changes.ts'
import { holdRows } from '#api-server/feed/held-rows.ts'
import { contract } from '#contract/contract.ts'
import { type SampleSchema, sampleAnswer } from '#contract/samples.ts'
import { type ChangedRow, rowsOf } from '#contract/topic.ts'
import { type TopicName, topicNames, topics } from '#contract/topics.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** A row as the call of the topic would answer it. */
function rowFor(topic: TopicName): Record<string, unknown> {
  const name = rowsOf(topic, topics)!.call as keyof typeof contract
  const output = z.toJSONSchema(contract[name].output, { unrepresentable: 'any' }) as SampleSchema
  return (sampleAnswer({ name, output }) as { list: Record<string, unknown>[] }).list[0]!
}
function told(topic: TopicName, changed: ChangedRow | undefined) {
  const lines: unknown[] = []
  const sent: unknown[] = []
  const changes = { tell: (...args: unknown[]) => void sent.push(args) } as unknown as Changes
  holdRows(changes, { error: (fields: unknown, message: string) => void lines.push([message, fields]) } as unknown as Log).tell(
    7,
    topic,
    changed,
  )
  expect(sent).toEqual([[7, topic, changed]])
  return lines
}

test.each(topicNames.filter((topic) => rowsOf(topic, topics)))('%s: a row of its call is sent without a line', (topic) => {
  expect(told(topic, { change: 'insert', row: rowFor(topic) })).toEqual([])
})
test.each<[name: string, changed: ChangedRow | undefined, line: object | undefined]>([
  ['no row', undefined, undefined],
  ['a removed row, of which only the key is sent', { change: 'remove', row: { id: 1 } }, undefined],
  ['a number for an amount', { change: 'update', row: { ...rowFor('spot_orders'), price: 1 } }, { path: 'price' }],
  ['a member that no row has', { change: 'insert', row: { ...rowFor('spot_orders'), uid: 7 } }, { path: 'uid' }],
])('%s', (_, changed, line) => {
  const lines = told('spot_orders', changed)
  expect(lines).toEqual(
    line
      ? [
          [
            'feed: a pushed row differs from the contract',
            expect.objectContaining({ topic: 'spot_orders', call: 'c2c.orderList', ...line }),
          ],
        ]
      : [],
  )
})
