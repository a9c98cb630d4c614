import { describe, expect, test } from 'vitest'
import {
  createFigures,
  createMemoryShelf,
  type FigureRow,
  type FigureShelf,
  figureLimits,
  type Sums,
} from '#config-server/guard/figures.ts'
import type { ClientReport, ReportBatch } from '#language/release.ts'

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
const far = (n: number) => `203.0.113.${n}`

function stage(shelf?: FigureShelf) {
  const clock = { now: 600_000 }
  const figures = createFigures({ knows: (release) => release === 3 || release === 4, now: () => clock.now, shelf })
  const sumsOf = async (release = 3) => {
    await figures.flush()
    return (await figures.sums([release], 0)).get(release)!
  }
  return { clock, figures, sumsOf }
}

test('the documents that break most stand first, and only so many are told apart in a minute', async () => {
  const { figures, sumsOf } = stage()
  for (let n = 0; n < figureLimits.screensMax + 5; n += 1) figures.take(batch([item('broken', { document: `screen/s${n}` })]), far(n))
  figures.take(batch([item('broken', { document: 'screen/s3' })]), far(99))
  const { screens } = await sumsOf()
  expect([screens.length, screens[0]]).toEqual([figureLimits.screensMax, { document: 'screen/s3', broken: 2 }])
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
      { shown: figureLimits.shownMax, latencyMs: 2_000, shownBy: 1 },
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
        ...{ broken: 2, brokenBy: 1 },
        screens: [
          { document: 'screen/a', broken: 1 },
          { document: 'screen/b', broken: 1 },
        ],
      },
    ],
    ['failed calls', [item('failed', { count: 3 })], { failed: 3, failedBy: 1 }],
    ['failed calls without end', [item('failed', { count: 1_000 })], { failed: figureLimits.failedMax, failedBy: 1 }],
    ['what tells nothing of the release', [item('pinned'), item('closed')], {}],
  ]
  test.for(rows)('%s', async ([, items, wanted]) => {
    const { figures, sumsOf } = stage()
    figures.take(batch(items), far(1))
    const none = { shown: 0, latencyMs: 0, broken: 0, refused: 0, failed: 0, brokenBy: 0, failedBy: 0, shownBy: 0, screens: [] }
    expect(await sumsOf()).toEqual({ ...none, batches: 1, ...wanted })
  })

  test('a release that could not be taken over is told while the one before is shown', async () => {
    const { figures, sumsOf } = stage()
    figures.take(batch([item('refused', { document: 'release', node: '', code: '4' })]), far(1))
    expect(await sumsOf(3)).toMatchObject({ batches: 1, refused: 0 })
    expect(await sumsOf(4)).toMatchObject({ batches: 0, refused: 1, brokenBy: 1 })
  })
  test.for(['99', '', 'x', '-4'])('but not of a release called %j', async (code) => {
    const { figures, sumsOf } = stage()
    figures.take(batch([item('refused', { code })]), far(1))
    expect((await sumsOf(4)).refused).toBe(0)
  })
  test('releases that nobody can have are not remembered', async () => {
    const { figures, sumsOf } = stage()
    for (let release = 100; release < 1_000; release += 1) figures.take(batch([item('broken')], release), far(1))
    figures.take(batch([item('broken')]), far(1))
    expect((await sumsOf(500)).batches).toBe(0)
    expect((await sumsOf(3)).batches).toBe(1)
  })
})

describe('who told', () => {
  test('one address is one, whatever it sends and when', async () => {
    const { clock, figures, sumsOf } = stage()
    for (let i = 0; i < 100; i += 1) {
      clock.now += 30_000
      figures.take(batch([item('broken')]), far(1))
      await figures.flush()
    }
    expect(await sumsOf()).toMatchObject({ batches: 100, broken: 100, brokenBy: 1 })
  })
  test('different addresses are told apart, up to a bound', async () => {
    const { figures, sumsOf } = stage()
    for (let i = 0; i < 3; i += 1) figures.take(batch([item('broken')]), far(i))
    expect((await sumsOf()).brokenBy).toBe(3)
    for (let i = 0; i < 100; i += 1) figures.take(batch([item('broken')]), far(i))
    expect((await sumsOf()).brokenBy).toBe(figureLimits.marksMax)
  })
  test('a customer with a whole IPv6 network is one', async () => {
    const { figures, sumsOf } = stage()
    for (let i = 0; i < 20; i += 1) figures.take(batch([item('broken')]), `2001:db8:1:1::${i}`)
    expect((await sumsOf()).brokenBy).toBe(1)
  })
  test.for(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('messages from %s count one by one', async (address) => {
    const { figures, sumsOf } = stage()
    for (let i = 0; i < 5; i += 1) figures.take(batch([item('broken')]), address)
    expect((await sumsOf()).brokenBy).toBeGreaterThanOrEqual(4)
  })
  test('an address cannot be read from what is kept', async () => {
    const kept: FigureRow[] = []
    const { figures } = stage({ ...createMemoryShelf(), keep: async (rows) => void kept.push(...rows) })
    figures.take(batch([item('broken')]), '203.0.113.77')
    await figures.flush()
    expect(JSON.stringify(kept)).toMatch(/"brokenBy:[0-9a-f]{4}":1/)
    expect(JSON.stringify(kept)).not.toContain('203.0')
  })
})

describe('rows', () => {
  test('of two nodes add up, and an address that both heard is one', async () => {
    const all = [createMemoryShelf(), createMemoryShelf()]
    const shared = (own: FigureShelf): FigureShelf => ({
      ...own,
      load: async (releases, from) => (await Promise.all(all.map((one) => one.load(releases, from)))).flat(),
    })
    const nodes = all.map((own) => stage(shared(own)))
    for (const { figures } of nodes) {
      for (const n of [1, 2]) figures.take(batch([item('broken'), item('latency', { ms: 10 })]), far(n))
      await figures.flush()
    }
    expect(await nodes[0]!.sumsOf()).toMatchObject({ batches: 4, broken: 4, shown: 4, brokenBy: 2, shownBy: 2 })
  })
  test('of earlier minutes count as long as they are asked for, and can be forgotten', async () => {
    const { clock, figures } = stage()
    for (let i = 0; i < 10; i += 1) {
      figures.take(batch([item('broken')]), far(i))
      await figures.flush()
      clock.now += 60_000
    }
    expect((await figures.sums([3], 0)).get(3)!.broken).toBe(10)
    expect((await figures.sums([3], clock.now - 240_000)).get(3)!.broken).toBe(4)
    await figures.removeOld(clock.now - 120_000)
    expect((await figures.sums([3], 0)).get(3)!.broken).toBe(2)
  })
  test('that could not be written are written the next time', async () => {
    const shelf = createMemoryShelf()
    let broken = true
    const { figures, sumsOf } = stage({ ...shelf, keep: async (rows) => (broken ? Promise.reject(new Error('full')) : shelf.keep(rows)) })
    figures.take(batch([item('broken')]), far(1))
    await expect(figures.flush()).rejects.toThrow('full')
    broken = false
    expect((await sumsOf()).broken).toBe(1)
  })
})
