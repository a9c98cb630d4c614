import { expect, test } from 'vitest'
import * as z from 'zod'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'

const number = z.object({ n: z.int() })

test('listeners of a topic hear its messages, others do not', () => {
  const bus = createLocalBus(createLog('silent'))
  const heard: string[] = []
  bus.subscribe('a', number, ({ n }) => heard.push(`a${n}`))
  const off = bus.subscribe('a', number, ({ n }) => heard.push(`again${n}`))
  bus.subscribe('b', number, ({ n }) => heard.push(`b${n}`))
  bus.publish('a', { n: 1 })
  off()
  bus.publish('a', { n: 2 })
  bus.publish('c', { n: 3 })
  expect(heard).toEqual(['a1', 'again1', 'a2'])
})

test('what does not fit the schema is dropped and counted, and a failing listener harms no other', () => {
  const bus = createLocalBus(createLog('silent'))
  const heard: number[] = []
  bus.subscribe('a', number, () => {
    throw new Error('broken')
  })
  bus.subscribe('a', number, ({ n }) => heard.push(n))
  for (const value of [{ n: 'x' }, null, undefined, { m: 1 }]) bus.publish('a', value)
  bus.publish('a', { n: 4 })
  expect(heard).toEqual([4])
  expect(bus.counts()).toMatchObject({ sent: 5, refused: 8 })
})

test('after close nobody hears anything', async () => {
  const bus = createLocalBus(createLog('silent'))
  const heard: number[] = []
  bus.subscribe('a', number, ({ n }) => heard.push(n))
  await bus.close()
  bus.publish('a', { n: 1 })
  expect(heard).toEqual([])
})
