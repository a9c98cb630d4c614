import { expect, test } from 'vitest'
import type { ReportBatch } from '#language/publish/release.ts'
import { createReports, reportLimits } from '#renderer/config/reports.ts'

function page(chance = 0) {
  const sent: ReportBatch[] = []
  const shown = { release: 4, hash: 'h4' }
  const due: (() => void)[] = []
  const reports = createReports({
    release: () => ({ ...shown }),
    caps: 'c',
    tickets: () => [`${shown.release}.ticket`],
    send: (body) => void sent.push(JSON.parse(body) as ReportBatch),
    later: (run) => void due.push(run),
    chance,
  })
  const pass = () => {
    for (const run of due.splice(0)) run()
  }
  return { reports, sent, pass, shown }
}
const broken = { kind: 'broken', document: 'screen/a', revision: 'a'.repeat(64), node: 'list', code: 'quote-list' } as const

test('the same thing is counted, and told once in a while', () => {
  const { reports, sent, pass } = page()
  for (let i = 0; i < 3; i++) reports.add(broken)
  reports.add({ ...broken, node: 'other' })
  expect(sent).toEqual([])
  pass()
  expect(sent).toEqual([
    {
      release: 4,
      hash: 'h4',
      caps: 'c',
      tickets: ['4.ticket'],
      items: [
        { ...broken, revision: 'a'.repeat(12), count: 3 },
        { ...broken, revision: 'a'.repeat(12), node: 'other', count: 1 },
      ],
    },
  ])
  pass()
  reports.flush()
  expect(sent).toHaveLength(1)
})
test('what is left is told when the page goes', () => {
  const { reports, sent } = page()
  reports.add(broken)
  reports.flush()
  expect(sent).toHaveLength(1)
})
test('what broke is told of the release that it broke on, also when another came since', () => {
  const { reports, sent, pass, shown } = page()
  reports.add(broken)
  shown.release = 5
  pass()
  expect(sent.map(({ release }) => release)).toEqual([4])
  reports.add(broken)
  shown.release = 6
  reports.add({ ...broken, node: 'other' })
  expect(sent.map(({ release, items }) => [release, items.length])).toEqual([
    [4, 1],
    [5, 1],
  ])
  reports.flush()
  expect(sent.map(({ release, items }) => [release, items[0]?.node])).toEqual([
    [4, 'list'],
    [5, 'list'],
    [6, 'other'],
  ])
})
test('nothing that a customer typed gets out', () => {
  const { reports, sent } = page()
  reports.add({ ...broken, node: 'Ann owns 5 BTC', code: 'ann@example.org says "hi"' })
  reports.flush()
  expect(JSON.stringify(sent)).not.toMatch(/Ann|ann|BTC/)
})
test.each([
  [0, 2],
  [0.5, 0],
])('times are told by some pages only: chance %d', (chance, count) => {
  const { reports, sent } = page(chance)
  for (const ms of [100, 50]) reports.add({ kind: 'latency', document: 'screen/a', node: '', code: '', ms })
  reports.flush()
  expect(sent[0]?.items[0]?.count ?? 0).toBe(count)
  if (count) expect(sent[0]?.items[0]?.ms).toBe(150)
})
test('a page that breaks without end is quiet in the end', () => {
  const { reports, sent } = page()
  for (let batch = 0; batch < reportLimits.batchesMax + 10; batch++) {
    for (let i = 0; i < reportLimits.itemsMax + 10; i++) reports.add({ ...broken, node: `n${i}` })
    reports.flush()
  }
  expect(sent).toHaveLength(reportLimits.batchesMax)
  expect(Math.max(...sent.map(({ items }) => items.length))).toBe(reportLimits.itemsMax)
})
test('times are told until half of the room is used, so that what breaks later is told too; a new release has its own room', () => {
  const { reports, sent, shown } = page()
  const kinds = () => sent.splice(0).map(({ items }) => items[0]!.kind)
  for (let i = 0; i < reportLimits.batchesMax; i++) {
    reports.add({ kind: 'latency', document: 'screen/a', node: '', code: '', ms: 5 })
    reports.flush()
  }
  reports.add(broken)
  reports.flush()
  expect(kinds()).toEqual([...Array(reportLimits.batchesMax / 2).fill('latency'), 'broken'])
  for (let i = 0; i < reportLimits.batchesMax; i++) {
    reports.add({ ...broken, node: `n${i}` })
    reports.flush()
  }
  expect(kinds()).toHaveLength(reportLimits.batchesMax / 2 - 1)
  shown.release = 5
  reports.add(broken)
  reports.flush()
  expect(kinds()).toEqual(['broken'])
})
