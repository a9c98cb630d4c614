import { expect, test } from 'vitest'
import { maskNickname, monthStart, monthsUntil } from '#api-server/account/invited/invited.rules.ts'

test.each([
  ['2026-11-30T23:59:59.999Z', '2025-12', '2026-11'],
  ['2026-12-01T00:00:00.000Z', '2026-01', '2026-12'],
  ['2024-02-29T12:00:00.000Z', '2023-03', '2024-02'],
])('twelve months until %s go from %s to %s', (now, first, last) => {
  const months = monthsUntil(Date.parse(now))
  expect([months.length, new Set(months).size, months[0], months.at(-1)]).toEqual([12, 12, first, last])
  expect([...months].sort()).toEqual(months)
  expect(monthStart(last)).toBeLessThanOrEqual(Date.parse(now))
})

test.each([
  ['Ann', 'A***'],
  ['李小龙', '李***'],
  ['𠮷野家', '𠮷***'],
  ['', '***'],
])('%s is shown as %s', (nickname, shown) => expect(maskNickname(nickname)).toBe(shown))
