import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type Bus, createNatsBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { eventually } from '#tests/support/eventually.ts'
import { natsMissing, startNats, type TestNats } from '#tests/support/servers/nats.ts'

const missing = natsMissing()
if (missing) console.error(`\n!!! the bus: NOT RUN: ${missing}\n`)
const number = z.object({ n: z.int() })
const log = createLog('silent')

describe.skipIf(missing !== undefined)(`the bus over NATS${missing ? ` (${missing})` : ''}`, () => {
  let nats: TestNats
  const buses: Bus[] = []
  const open = async (url = nats.url) => {
    const bus = await createNatsBus(url, log)
    buses.push(bus)
    return bus
  }
  const listen = (bus: Bus, lost?: () => void) => {
    const heard: number[] = []
    bus.subscribe('a', number, ({ n }) => heard.push(n), lost)
    return heard
  }
  beforeAll(async () => {
    nats = await startNats()
  })
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
  })
  afterAll(() => nats.stop())

  test('every node hears a message once, the sender at once', async () => {
    const [one, two, three] = [await open(), await open(), await open()]
    const heard = [one, two, three].map((bus) => listen(bus))
    one.publish('a', { n: 1 })
    expect(heard[0]).toEqual([1])
    two.publish('a', { n: 2 })
    await expect
      .poll(() => heard.map((list) => [...list].sort()))
      .toEqual([
        [1, 2],
        [1, 2],
        [1, 2],
      ])
  })

  test('poison, repeats, latecomers, foreign and huge messages reach nobody', async () => {
    const bus = await open()
    let lost = 0
    const heard = listen(bus, () => lost++)
    const { connect } = await import('@nats-io/transport-node')
    const raw = await connect({ servers: nats.url })
    const send = (payload: string) => raw.publish('tessera.a', payload)
    const message = (over: object) => JSON.stringify({ v: 1, from: 'other', n: 1, topic: 'a', value: { n: 1 }, ...over })
    for (const payload of [
      '',
      '{',
      'null',
      '[]',
      '{"n":1}',
      message({ v: 2 }),
      message({ n: -1 }),
      message({ from: 7 }),
      message({ value: { n: 'x' }, from: 'third' }),
      'x'.repeat(900_000),
    ])
      send(payload)
    send(message({ n: 5, value: { n: 5 } }))
    send(message({ n: 5, value: { n: 5 } }))
    send(message({ n: 4, value: { n: 4 } }))
    send(message({ n: 6, value: { n: 6 } }))
    await eventually(() => heard).toEqual([5, 6])
    expect(lost).toBe(0)
    send(message({ n: 8, value: { n: 8 } }))
    await eventually(() => heard).toEqual([5, 6, 8])
    expect(lost).toBe(1)
    expect(bus.counts().refused).toBe(10)
    await raw.close()
  })

  test('a message too large to send is counted, not sent, and the bus goes on', async () => {
    const [one, two] = [await open(), await open()]
    const heard = listen(two)
    one.publish('a', { n: 1, more: 'x'.repeat(300_000) })
    one.publish('a', { n: 2 })
    await eventually(() => heard).toEqual([2])
    expect(one.counts().missed).toBe(1)
  })

  test('while the server is away local listeners still hear, nothing piles up, and it comes back by itself', async () => {
    const [one, two] = [await open(), await open()]
    let lost = 0
    const [own, other] = [listen(one), listen(two, () => lost++)]
    await nats.kill()
    await eventually(() => one.counts().connected + two.counts().connected).toBe(0)
    const before = one.counts()
    for (let n = 0; n < 20_000; n++) one.publish('a', { n })
    expect(own).toHaveLength(20_000)
    expect(one.counts()).toMatchObject({ sent: before.sent, missed: before.missed + 20_000 })
    await nats.start()
    await eventually(() => one.counts().connected + two.counts().connected).toBe(2)
    // The other node sends NATS its subscription again after it has reconnected.
    await eventually(() => {
      one.publish('a', { n: -1 })
      return other
    }).toContain(-1)
    expect(other.filter((n) => n >= 0)).toEqual([])
    expect(lost).toBeGreaterThan(0)
  })

  test('a node starts without the bus and finds it later', async () => {
    await nats.kill()
    const bus = await open()
    const heard = listen(bus)
    bus.publish('a', { n: 1 })
    expect(heard).toEqual([1])
    expect(bus.counts()).toMatchObject({ connected: 0, missed: 1 })
    await nats.start()
    await eventually(() => bus.counts().connected).toBe(1)
  })
})
