import { expect, test } from 'vitest'
import { dayName } from '#widgets/message-list/day.rules.ts'

const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime()
const now = at(2026, 4, 12, 0, 10)

test.each([
  ['a moment ago', at(2026, 4, 12, 0, 1), 'en', 'Today'],
  ['twenty minutes ago is yesterday', at(2026, 4, 11, 23, 50), 'en', 'Yesterday'],
  ['the beginning of yesterday', at(2026, 4, 11), 'en', 'Yesterday'],
  ['the day before', at(2026, 4, 10, 23, 59), 'en', 'Sun, May 10'],
  ['another year', at(2025, 11, 31, 12), 'en', 'Wed, Dec 31, 2025'],
  ['Japanese', at(2026, 4, 12), 'ja', '今日'],
  ['the calendar of the rest of the app', at(2025, 11, 31, 12), 'th', 'พุธ 31 ธ.ค. 2025'],
  ['French', at(2026, 4, 11), 'fr', 'Hier'],
  ['a clock that is behind', at(2026, 4, 13), 'en', 'Wed, May 13'],
])('%s', (_, moment, tag, name) => {
  expect(dayName(moment, now, tag)).toBe(name)
})
