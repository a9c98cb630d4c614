import { expect, test } from 'vitest'
import type { ReportBatch } from '#language/release.ts'
import { createReports, reportLimits } from '#renderer/io/reports.ts'

function page(chance = 0) {
  const sent: ReportBatch[] = []
  const due: (() => void)[] = []
  const reports = createReports({
    release: () => ({ release: 4, hash: 'h4' }),
    caps: 'c',
    send: (body) => void sent.push(JSON.parse(body) as ReportBatch),
    later: (run) => void due.push(run),
    chance,
  })
  const pass = () => {
    for (const run of due.splice(0)) run()
  }
  return { reports, sent, pass }
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
