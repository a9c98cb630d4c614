import { describe, expect, test } from 'vitest'
import { createReportBook, readBatch, reportLimits } from '#config-server/serving/reports.rules.ts'
import type { ClientReport, ReportBatch } from '#language/publish/release.ts'

const item = (more: Partial<ClientReport> = {}): ClientReport => ({
  kind: 'broken',
  document: 'screen/market.market',
  revision: '0123456789ab',
  node: 'list',
  code: 'quote-list',
  count: 1,
  ...more,
})
const batch = (more: Partial<ReportBatch> = {}): ReportBatch => ({
  release: 3,
  hash: 'a'.repeat(16),
  caps: 'c'.repeat(64),
  tickets: ['3.1.AAAAAAAA.BBBB'],
  items: [item()],
  ...more,
})

describe('a batch', () => {
  const rows: [string, unknown, boolean][] = [
    ['as agreed', batch(), true],
    ['about the whole release', batch({ items: [item({ kind: 'refused', document: 'release', revision: '', node: '', code: '' })] }), true],
    ['with a time', batch({ items: [item({ kind: 'latency', ms: 120 })] }), true],
    ['of a build without a name', batch({ caps: '' }), true],
    ['of an older build, without tickets', { ...batch(), tickets: [] }, true],
    ['too many tickets', batch({ tickets: ['a', 'b', 'c', 'd'] }), false],
    ['a ticket without end', batch({ tickets: ['a'.repeat(91)] }), false],
    ['a ticket that is none', batch({ tickets: [7] as never }), false],
    ['nothing in it', batch({ items: [] }), false],
    ['too much in it', batch({ items: Array.from({ length: reportLimits.itemsMax + 1 }, () => item()) }), false],
    ['one bad item among good ones', batch({ items: [item(), item({ count: -1 })] }), false],
    ['a kind that is not known', batch({ items: [item({ kind: 'rumour' as 'broken' })] }), false],
    ['an address in place of a document', batch({ items: [item({ document: 'ann@example.org' })] }), false],
    ['a sentence in place of a node', batch({ items: [item({ node: 'my balance is 5' })] }), false],
    ['a sentence in place of a code', batch({ items: [item({ code: 'TypeError: x is "secret"' })] }), false],
    ['a node without end', batch({ items: [item({ node: 'x'.repeat(81) })] }), false],
    ['a count of a million', batch({ items: [item({ count: 1_000_000 })] }), false],
    ['half a time', batch({ items: [item({ kind: 'latency', ms: 0.5 })] }), false],
    ['a release that is no number', batch({ release: '3' as never }), false],
    ['a hash that is no hash', batch({ hash: '<script>' }), false],
    ['a list', [], false],
    ['null', null, false],
  ]
  test.for(rows)('%s', ([, body, taken]) => {
    expect(readBatch(body)).toEqual(taken ? body : undefined)
  })
  test('what nobody asked for is left behind', () => {
    const read = readBatch({ ...batch({ items: [{ ...item(), user: 'ann' } as ClientReport] }), ip: '1' })
    expect(read).toEqual(batch())
  })
})

describe('the book', () => {
  test('counts by release, document and node', () => {
    const book = createReportBook()
    book.add(batch({ items: [item(), item({ node: 'other' }), item({ count: 4 })] }))
    book.add(batch({ release: 4, items: [item({ kind: 'latency', count: 2, ms: 300 })] }))
    book.add(batch({ release: 4, items: [item({ kind: 'latency', count: 1, ms: 60 })] }))
    expect(book.rows().map(({ release, kind, node, count, batches, ms }) => [release, kind, node, count, batches, ms])).toEqual([
      [4, 'latency', 'list', 3, 2, 360],
      [3, 'broken', 'list', 5, 2, undefined],
      [3, 'broken', 'other', 1, 1, undefined],
    ])
    expect(book.counts()).toMatchObject({ batches: 3, broken: 6, latency: 3, pinned: 0, forgotten: 0 })
  })
  test('remembers the newest releases; an older one does not push them out', () => {
    const book = createReportBook()
    for (let release = 1; release <= reportLimits.releasesMax + 2; release++) book.add(batch({ release }))
    book.add(batch({ release: 1 }))
    const kept = book.rows().map(({ release }) => release)
    expect(kept).toEqual(Array.from({ length: reportLimits.releasesMax }, (_, i) => reportLimits.releasesMax + 2 - i))
    expect(book.counts().forgotten).toBe(1)
  })
  test('has no room without end', () => {
    const book = createReportBook()
    for (let n = 0; n < reportLimits.rowsMax + 10; n++) book.add(batch({ items: [item({ node: `n${n}` })] }))
    expect(book.rows()).toHaveLength(reportLimits.rowsMax)
    expect(book.counts().forgotten).toBe(10)
  })
})
