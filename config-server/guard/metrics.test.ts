import { describe, expect, test } from 'vitest'
import { createMemoryStore, createMetrics, type MetricStore, metricLimits, noSums, type Sums } from '#config-server/guard/metrics.ts'
import type { ClientReport, ReportBatch } from '#language/publish/release.ts'

const item = (kind: ClientReport['kind'], more: Partial<ClientReport> = {}): ClientReport => ({
  kind,
  document: 'screen/a',
  revision: '',
  node: 'n',
  code: '',
  count: 1,
  ...more,
})
const batch = (items: ClientReport[], release = 3): ReportBatch => ({ release, hash: 'h', caps: '', items })
/** A witness for any release. */
const far = (n: number) => () => `network ${n}`
const nobody = () => undefined

function stage(store?: MetricStore) {
  const clock = { now: 600_000 }
  const metrics = createMetrics({
    knows: (release, document) => (release === 3 || release === 4) && document !== 'screen/none',
    now: () => clock.now,
    store,
  })
  const sumsOf = async (release = 3) => {
    await metrics.flush()
    return (await metrics.sums([release], 0)).get(release)!
  }
  return { clock, metrics, sumsOf }
}

test('the documents that break most stand first, and only so many are told apart in a minute', async () => {
  const { metrics, sumsOf } = stage()
  for (let n = 0; n < metricLimits.screensMax + 5; n += 1) metrics.take(batch([item('broken', { document: `screen/s${n}` })]), far(n))
  metrics.take(batch([item('broken', { document: 'screen/s3' })]), far(99))
  const { screens } = await sumsOf()
  expect([screens.length, screens[0]]).toEqual([metricLimits.screensMax, { document: 'screen/s3', broken: 2 }])
})

describe('what one message adds', () => {
  const rows: [string, ClientReport[], Partial<Sums>][] = [
    [
      'times',
      [item('latency', { count: 2, ms: 300 }), item('latency', { document: 'screen/b', ms: 60 })],
      { shown: 3, latencyMs: 360, shownBy: 1 },
    ],
    [
      'more times than five seconds hold',
      [item('latency', { count: 1_000, ms: 100_000 })],
      { shown: metricLimits.shownMax, latencyMs: 2_000, shownBy: 1 },
    ],
    [
      'a screen with a hundred broken rows is one screen',
      [item('broken', { count: 100 }), item('broken', { node: 'm' })],
      { broken: 1, brokenBy: 1, screens: [{ document: 'screen/a', broken: 1 }] },
    ],
    [
      'two broken screens',
      [item('broken', { document: 'screen/b' }), item('broken')],
      {
        broken: 2,
        brokenBy: 1,
        screens: [
          { document: 'screen/a', broken: 1 },
          { document: 'screen/b', broken: 1 },
        ],
      },
    ],
    ['failed calls', [item('failed', { count: 3 })], { failed: 3, failedBy: 1 }],
    ['failed calls without end', [item('failed', { count: 1_000 })], { failed: metricLimits.failedMax, failedBy: 1 }],
    ['what tells nothing of the release', [item('pinned'), item('closed')], {}],
  ]
  test.for(rows)('%s', async ([, items, wanted]) => {
    const { metrics, sumsOf } = stage()
    metrics.take(batch(items), far(1))
    const none = {
      unproved: 0,
      served: 0,
      shown: 0,
      latencyMs: 0,
      broken: 0,
      refused: 0,
      failed: 0,
      brokenBy: 0,
      failedBy: 0,
      shownBy: 0,
      screens: [],
    }
    expect(await sumsOf()).toEqual({ ...none, batches: 1, ...wanted })
  })

  test('a release that could not be taken over is told while the one before is shown', async () => {
    const { metrics, sumsOf } = stage()
    metrics.take(batch([item('refused', { document: 'release', node: '', code: '4' })]), far(1))
    expect(await sumsOf(3)).toMatchObject({ batches: 1, refused: 0 })
    expect(await sumsOf(4)).toMatchObject({ batches: 0, refused: 1, brokenBy: 1 })
  })
  test.for(['99', '', 'x', '-4'])('but not of a release called %j', async (code) => {
    const { metrics, sumsOf } = stage()
    metrics.take(batch([item('refused', { code })]), far(1))
    expect((await sumsOf(4)).refused).toBe(0)
  })
  test('releases that nobody can have are not remembered', async () => {
    const { metrics, sumsOf } = stage()
    for (let release = 100; release < 1_000; release += 1) metrics.take(batch([item('broken')], release), far(1))
    metrics.take(batch([item('broken')]), far(1))
    expect((await sumsOf(500)).batches).toBe(0)
    expect((await sumsOf(3)).batches).toBe(1)
  })
})

describe('who told', () => {
  test('one network is one, whatever it sends and when', async () => {
    const { clock, metrics, sumsOf } = stage()
    for (let i = 0; i < 100; i += 1) {
      clock.now += 30_000
      metrics.take(batch([item('broken')]), far(1))
      await metrics.flush()
    }
    expect(await sumsOf()).toMatchObject({ batches: 100, broken: 100, brokenBy: 1 })
  })
  test('one network adds only so many broken reports in a minute', async () => {
    const { clock, metrics, sumsOf } = stage()
    const most = metricLimits.errorsPerWitnessMax
    for (let i = 0; i < 2 * most; i += 1) metrics.take(batch([item('broken'), item('refused', { code: '4' })]), far(1))
    expect(await sumsOf()).toMatchObject({ broken: most, brokenBy: 1, screens: [{ document: 'screen/a', broken: most }] })
    expect(await sumsOf(4)).toMatchObject({ refused: most, brokenBy: 1 })
    metrics.take(batch([item('broken')]), far(2))
    expect(await sumsOf()).toMatchObject({ broken: most + 1, brokenBy: 2 })
    clock.now += 60_000
    metrics.take(batch([item('broken')]), far(1))
    expect((await sumsOf()).broken).toBe(most + 2)
  })
  test('different networks are told apart, up to a bound', async () => {
    const { metrics, sumsOf } = stage()
    for (let i = 0; i < 3; i += 1) metrics.take(batch([item('broken')]), far(i))
    expect((await sumsOf()).brokenBy).toBe(3)
    for (let i = 0; i < metricLimits.marksMax + 9; i += 1) metrics.take(batch([item('broken')]), far(i))
    expect((await sumsOf()).brokenBy).toBe(metricLimits.marksMax)
  })
  test('a message without a witness counts as such and as nothing else', async () => {
    const { metrics, sumsOf } = stage()
    for (let i = 0; i < 9; i += 1) metrics.take(batch([item('broken'), item('refused', { code: '4' })]), nobody)
    expect(await sumsOf()).toEqual({ ...noSums(), unproved: 9 })
    expect(await sumsOf(4)).toEqual(noSums())
  })
  test('a witness of one release is none of another', async () => {
    const { metrics, sumsOf } = stage()
    const ofFour = (release: number) => (release === 4 ? 'network 1' : undefined)
    metrics.take(batch([item('broken'), item('refused', { code: '4' })]), ofFour)
    expect(await sumsOf()).toEqual({ ...noSums(), unproved: 1 })
    expect(await sumsOf(4)).toMatchObject({ refused: 1, brokenBy: 1 })
  })
  test('what is told of a document that the release does not have is not counted', async () => {
    const { metrics, sumsOf } = stage()
    metrics.take(batch([item('broken', { document: 'screen/none' }), item('latency', { document: 'screen/none', ms: 9 })]), far(1))
    expect(await sumsOf()).toEqual({ ...noSums(), batches: 1 })
  })
  test('a network that was given a release counts once in half an hour', async () => {
    const { clock, metrics, sumsOf } = stage()
    for (const mark of ['a', 'b', 'a']) metrics.served(3, mark)
    metrics.served(500, 'a')
    expect((await sumsOf()).served).toBe(2)
    clock.now += 31 * 60_000
    await metrics.flush()
    metrics.served(3, 'a')
    expect((await sumsOf()).served).toBe(3)
  })
})

describe('rows', () => {
  test('of two nodes add up, and a network that both heard is one', async () => {
    const all = [createMemoryStore(), createMemoryStore()]
    const shared = (own: MetricStore): MetricStore => ({
      ...own,
      load: async (releases, from) => (await Promise.all(all.map((one) => one.load(releases, from)))).flat(),
    })
    const nodes = all.map((own) => stage(shared(own)))
    for (const { metrics } of nodes) {
      for (const n of [1, 2]) metrics.take(batch([item('broken'), item('latency', { ms: 10 })]), far(n))
      await metrics.flush()
    }
    expect(await nodes[0]!.sumsOf()).toMatchObject({ batches: 4, broken: 4, shown: 4, brokenBy: 2, shownBy: 2 })
  })
  test('of earlier minutes count as long as they are asked for, and can be forgotten', async () => {
    const { clock, metrics } = stage()
    for (let i = 0; i < 10; i += 1) {
      metrics.take(batch([item('broken')]), far(i))
      await metrics.flush()
      clock.now += 60_000
    }
    expect((await metrics.sums([3], 0)).get(3)!.broken).toBe(10)
    expect((await metrics.sums([3], clock.now - 240_000)).get(3)!.broken).toBe(4)
    await metrics.removeOld(clock.now - 120_000)
    expect((await metrics.sums([3], 0)).get(3)!.broken).toBe(2)
  })
  test('that could not be written are written the next time', async () => {
    const store = createMemoryStore()
    let broken = true
    const { metrics, sumsOf } = stage({ ...store, keep: async (rows) => (broken ? Promise.reject(new Error('full')) : store.keep(rows)) })
    metrics.take(batch([item('broken')]), far(1))
    await expect(metrics.flush()).rejects.toThrow('full')
    broken = false
    expect((await sumsOf()).broken).toBe(1)
  })
})
